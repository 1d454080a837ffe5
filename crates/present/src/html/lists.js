
// ---- Long lists of which only what is visible is in the document, and colours that make no elements. ----

const ROW = 22;

/** A list of which only what is visible is in the document. */
class Virtual {
  constructor(box, draw) {
    this.box = box;
    this.draw = draw;
    this.n = 0;
    this.top = 0;
    this.height = 600;
    // The row that is to be seen, as long as nobody has scrolled away from it.
    this.kept = null;
    this.space = el('div', 'space');
    this.rows = el('div', 'rows');
    this.space.append(this.rows);
    box.append(this.space);
    // What has been scrolled to by a key is drawn already.
    box.addEventListener('scroll', () => {
      if (box.scrollTop === this.top) return;
      this.kept = null;
      this.refresh();
    });
    window.addEventListener('resize', () => {
      this.refresh();
      if (this.kept !== null) this.reveal(this.kept);
    });
  }

  size(n) {
    this.n = n;
    this.space.style.height = `${n * ROW}px`;
    this.refresh();
  }

  refresh() {
    this.top = this.box.scrollTop;
    this.height = this.box.clientHeight || 600;
    this.redraw();
  }

  /** Draws what is where it has been scrolled to; nothing is measured, which would lay out the page once more. */
  redraw() {
    const first = Math.max(0, Math.floor(this.top / ROW) - 5);
    const count = Math.ceil(this.height / ROW) + 10;
    const last = Math.min(this.n, first + count);
    this.rows.style.transform = `translateY(${first * ROW}px)`;
    const drawn = [];
    for (let i = first; i < last; i++) drawn.push(this.draw(i));
    this.rows.replaceChildren(...drawn);
    if (this.drawn) this.drawn(this.rows, first);
  }

  /** Scrolls as little as needed for a row to be seen with some around it. */
  reveal(i) {
    this.kept = i;
    const top = i * ROW;
    const margin = Math.min(4 * ROW, this.height / 3);
    if (top - margin < this.top) this.box.scrollTop = Math.max(0, top - margin);
    else if (top + ROW + margin > this.top + this.height) this.box.scrollTop = top + ROW + margin - this.height;
    else return this.redraw();
    return this.refresh();
  }
}

const WORDS = {
  bp: /^(begin|end|if|then|else|elsif|fi|while|do|od|decl|void|bool|int|enum|skip|goto|return|assert|assume|constrain|init|enforce|thread|atomic|start|print|schoose)$/,
  c: /^(int|unsigned|signed|long|short|char|void|if|else|while|for|do|return|break|continue|goto|switch|case|default|const|static|struct|union|enum|typedef|extern|sizeof|_Bool|bool|float|double|volatile|inline|register)$/,
  mu: /^(mu|nu|forall|exists|bool|enum|type|query|true|false|const|param)$/,
};
const LONGEST_COLOURED = 2000;

/** Colours for the program, where a browser can give them to parts of a text: no element is made for them. */
class Colours {
  constructor(name, lines) {
    this.can = typeof CSS !== 'undefined' && CSS.highlights && typeof Highlight !== 'undefined';
    this.words = WORDS[/\.[ci]$/.test(name) ? 'c' : /\.mu$/.test(name) ? 'mu' : 'bp'];
    // Which lines begin within a comment.
    this.inside = [];
    let isInside = false;
    for (const line of this.can ? lines : []) {
      this.inside.push(isInside);
      if (line.length > LONGEST_COLOURED) continue;
      for (const [mark] of line.matchAll(/\/\*|\*\/|\/\/.*/g)) if (mark === '/*') isInside = true; else if (mark === '*/') isInside = false; else if (!isInside) break;
    }
  }

  draw(rows, first) {
    if (!this.can) return;
    const found = { keyword: [], comment: [], label: [] };
    [...rows.children].forEach((row, n) => {
      const code = row.querySelector('code');
      const text = code && code.firstChild;
      if (text && text.length <= LONGEST_COLOURED) this.parts(text, this.inside[first + n], found);
    });
    for (const [kind, ranges] of Object.entries(found)) CSS.highlights.set(kind, new Highlight(...ranges));
  }

  parts(text, isInside, found) {
    const line = text.data;
    const close = isInside ? line.indexOf('*/') : 0;
    const from = isInside ? (close < 0 ? line.length : close + 2) : 0;
    const add = (kind, start, end) => {
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, end);
      found[kind].push(range);
    };
    if (from > 0) add('comment', 0, from);
    for (const { 0: part, 1: word, index } of line.slice(from).matchAll(/\/\/.*|\/\*.*?(?:\*\/|$)|([A-Za-z_]\w*)/g)) {
      const at = from + index;
      if (word === undefined) add('comment', at, at + part.length);
      else if (this.words.test(word)) add('keyword', at, at + part.length);
      else if (/^\s*:(?![:=])/.test(line.slice(at + part.length)) && /^\s*$/.test(line.slice(0, at))) add('label', at, at + part.length);
    }
  }
}
