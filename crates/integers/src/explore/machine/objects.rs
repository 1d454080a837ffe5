//! What a machine does with objects.

use super::{Choices, Halt, Machine, Number, Pause};
use crate::evaluate::Undefined;
use crate::explore::cells::{Full, Held};
use crate::explore::code::{Cell, Instruction};
use crate::explore::heap::{Copied, Layouts, Spot, Trouble, Wanted};
use crate::memory::{self, Manage, Misuse, RegionId, Storage, WILD};
use crate::program::{EdgeId, FunctionId, UnknownId};
use crate::trace::End;

impl From<Full> for Pause {
    fn from(_: Full) -> Self {
        Pause::Halt(Halt::End(End::StepLimit))
    }
}

impl<'c, N: Number> Machine<'c, N> {
    /// What a cell holds; where nothing was stored in it, it is chosen.
    #[inline]
    pub(super) fn load<const UNKNOWNS: bool>(
        &mut self,
        to: Cell,
        pointer: Cell,
        region: RegionId,
        choices: &mut dyn Choices,
    ) -> Result<(), Pause> {
        self.sure::<UNKNOWNS>(&[pointer])?;
        let spot = match self.heap.locate(self.layouts(), region, self.get(pointer).into()) {
            Ok(spot) => spot,
            Err(misuse) => return Err(self.misused(misuse)),
        };
        let (number, mark) = match self.heap.read(spot) {
            Some(held) => held,
            None => self.draw(spot, region, choices)?,
        };
        if UNKNOWNS {
            self.unknown[to.at(self.base)] = mark;
        }
        self.set_wide(to, number)
    }

    #[inline]
    pub(super) fn store<const UNKNOWNS: bool>(
        &mut self,
        pointer: Cell,
        value: Cell,
        region: RegionId,
    ) -> Result<(), Pause> {
        self.sure::<UNKNOWNS>(&[pointer])?;
        let spot = match self.heap.locate_store(self.layouts(), region, self.get(pointer).into()) {
            Ok(spot) => spot,
            Err(misuse) => return Err(self.misused(misuse)),
        };
        let held = self.held(value);
        Ok(self.heap.write(spot, held)?)
    }

    /// Something is chosen for a cell that nothing was stored in, and kept.
    #[cold]
    fn draw(&mut self, spot: Spot, region: RegionId, choices: &mut dyn Choices) -> Result<Held, Pause> {
        let Some(input) = self.code.uninitialised[region.index()] else {
            return Err(self.misused(Misuse::Uninitialised));
        };
        let Some(number) = choices.choose(input) else {
            return Err(Pause::Halt(Halt::End(End::NoInput(input))));
        };
        self.inputs.push(number);
        self.heap.write(spot, (number, 0))?;
        Ok((number, 0))
    }

    /// What is computed with pointers.
    pub(super) fn with_pointers<const UNKNOWNS: bool>(
        &mut self,
        instruction: Instruction,
    ) -> Result<(), Pause> {
        match instruction {
            Instruction::Misuse(misuse) => return Err(self.misused(misuse)),
            Instruction::Initialised(a)
                if self.get(a).into() == WILD && (!UNKNOWNS || self.unknown[a.at(self.base)] == 0) =>
            {
                return Err(self.misused(Misuse::Uninitialised));
            }
            Instruction::Member(to, a, n) if !UNKNOWNS || !self.spreads(to, &[a]) => {
                let (stride, start) = self.code.members[n as usize];
                let part = memory::member(self.get(a).into(), stride, start).ok_or(Pause::Outgrown)?;
                self.set_wide(to, part)?;
            }
            Instruction::Difference(to, a, b) if !UNKNOWNS || !self.spreads(to, &[a, b]) => {
                match memory::difference(self.get(a).into(), self.get(b).into()) {
                    Ok(number) => self.set_wide(to, number)?,
                    Err(misuse) => return Err(self.misused(misuse)),
                }
            }
            // Of something unknown, or initialised.
            _ => {}
        }
        Ok(())
    }

    /// Does something to objects.
    pub(super) fn manage(&mut self, n: usize, choices: &mut dyn Choices) -> Result<(), Pause> {
        let managed = &self.code.manages[n];
        // A value that is stored may be unknown; nothing else.
        let sure = match managed.manage {
            Manage::Fill { .. } => &managed.operands[..2],
            _ => &managed.operands[..],
        };
        for cell in sure {
            if let Some(mark) = self.unknown.get(cell.at(self.base)).filter(|mark| **mark != 0) {
                return Err(Pause::Halt(Halt::End(End::Unknown(UnknownId(mark - 1)))));
            }
        }
        let operands: Vec<i128> = managed.operands.iter().map(|cell| self.get(*cell).into()).collect();
        let site = self.origin();
        let (layouts, depth) = (self.layouts(), self.calls.len());
        let wanted =
            |class, count, is_zeroed, storage| Wanted { class, count, is_zeroed, storage, site, depth };
        let mut result = 0;
        let done = match (&managed.manage, &operands[..]) {
            (Manage::Begin(object), _) => self.heap.begin(layouts, object.index()),
            (Manage::End(object), _) => {
                self.heap.end(object.index());
                Ok(())
            }
            (&Manage::Allocate { class, is_zeroed, storage, .. }, &[count]) => {
                let wanted = wanted(class, count, is_zeroed, storage);
                self.heap.allocate(layouts, wanted).map(|number| result = number)
            }
            (&Manage::Reallocate { class, .. }, &[pointer, count]) => {
                let wanted = wanted(class, count, false, Storage::Heap);
                self.heap.reallocate(layouts, pointer, wanted).map(|number| result = number)
            }
            (Manage::Release { storage, .. }, &[pointer]) => {
                self.heap.release(pointer, *storage).map_err(Trouble::Misuse)
            }
            (&Manage::Fill { class, .. }, &[pointer, count, _]) => {
                let held = self.held(managed.operands[2]);
                let filled = self.heap.fill(layouts, class, (pointer, count), held);
                filled.map(|n| self.executed += n)
            }
            (&Manage::Copy { class, .. }, &[to, from, count]) => {
                match self.heap.copied(layouts, class, (to, from), count) {
                    Ok(copied) => return self.copy(copied, choices),
                    Err(trouble) => Err(trouble),
                }
            }
            (other, _) => unreachable!("{other:?} has other operands"),
        };
        match done {
            Ok(()) => {}
            Err(Trouble::Full) => return Err(Full.into()),
            Err(Trouble::Misuse(misuse)) => return Err(self.misused(misuse)),
        }
        let Some(to) = managed.result else { return Ok(()) };
        if let Some(mark) = self.unknown.get_mut(to.at(self.base)) {
            *mark = 0;
        }
        self.set_wide(to, crate::memory::pack(result, 0))
    }

    /// Copies cells. What nothing was stored in is chosen, so that a cell and its copy are equal.
    fn copy(&mut self, mut copied: Vec<Copied>, choices: &mut dyn Choices) -> Result<(), Pause> {
        for Copied { region, from, held, .. } in &mut copied {
            if held.is_none() && self.code.uninitialised[region.index()].is_some() {
                *held = Some(self.draw(*from, *region, choices)?);
            }
        }
        self.executed += copied.len() as u64;
        Ok(self.heap.copy(&copied)?)
    }

    /// Where the first object was allocated that no pointer leads to. `main` has returned.
    pub(super) fn lost(&self) -> Option<(FunctionId, EdgeId)> {
        let layouts = self.code.layouts.as_ref()?;
        let roots = self.code.pointers.iter().map(|&cell| self.memory[cell].into());
        self.heap.lost(layouts, roots)
    }

    /// The number of a cell, and what makes it unknown.
    fn held(&self, cell: Cell) -> Held {
        let mark = self.unknown.get(cell.at(self.base)).copied().unwrap_or(0);
        (self.get(cell).into(), mark)
    }

    pub(super) fn set_wide(&mut self, to: Cell, number: i128) -> Result<(), Pause> {
        let Ok(narrow) = N::try_from(number) else { return Err(Pause::Outgrown) };
        self.set(to, narrow);
        Ok(())
    }

    /// The run ends: memory is misused.
    #[cold]
    pub(super) fn misused(&self, misuse: Misuse) -> Pause {
        Pause::Halt(self.undefined(Undefined::Memory(misuse)))
    }

    fn layouts(&self) -> &'c Layouts {
        self.code.layouts.as_ref().expect("a program that uses memory has some")
    }
}
