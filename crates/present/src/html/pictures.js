
// ---- Pictures: graphs by layers, threads over time, figures as bars. ----

const LETTER = 7.25;
/** So many ways beside each other are told apart. */
const MOST_TRACKS = 24;

function draw(tag, attributes, text) {
  // The document has an empty drawing, whose namespace this is.
  const node = document.createElementNS(document.getElementById('ink').namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = visible(text);
  return node;
}

function cut(text, most) {
  const letters = [...String(text)];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
}

/** Where the nodes of a graph go: layers by the distance from the starts, in each the order that crosses few edges. */
function layered(graph, sizes) {
  const n = graph.nodes.length;
  const out = Array.from({ length: n }, () => []);
  const into = Array.from({ length: n }, () => []);
  for (const [from, to] of graph.edges) {
    if (from === to) continue;
    out[from].push(to);
    into[to].push(from);
  }
  const layer = new Array(n).fill(-1);
  const from = graph.nodes.map((node, i) => (node.start ? i : -1)).filter((i) => i >= 0);
  const queue = from.length ? from : n ? [0] : [];
  for (const i of queue) layer[i] = 0;
  for (let at = 0, next = 0; at < queue.length || next < n; ) {
    if (at === queue.length) {
      // What nothing leads to begins in the first layer, too.
      if (layer[next] < 0) {
        layer[next] = 0;
        queue.push(next);
      }
      next += 1;
      continue;
    }
    const i = queue[at++];
    for (const j of out[i]) {
      if (layer[j] >= 0) continue;
      layer[j] = layer[i] + 1;
      queue.push(j);
    }
  }
  const layers = [];
  for (const i of queue) (layers[layer[i]] = layers[layer[i]] || []).push(i);
  const place = new Array(n).fill(0);
  const settle = () => layers.forEach((row) => row.forEach((i, k) => { place[i] = k - row.length / 2; }));
  settle();
  for (let pass = 0; pass < 8; pass++) {
    const near = pass % 2 ? out : into;
    for (const row of layers) {
      const centre = new Map(row.map((i) => [i, near[i].length ? near[i].reduce((sum, j) => sum + place[j], 0) / near[i].length : place[i]]));
      row.sort((a, b) => centre.get(a) - centre.get(b) || a - b);
    }
    settle();
  }
  const [gapX, gapY] = [28, 46];
  const widths = layers.map((row) => row.reduce((sum, i) => sum + sizes[i].w + gapX, -gapX));
  const width = Math.max(0, ...widths);
  const spots = new Array(n);
  let y = 24;
  layers.forEach((row, l) => {
    let x = 16 + (width - widths[l]) / 2;
    const low = y + Math.max(...row.map((i) => sizes[i].h));
    for (const i of row) {
      spots[i] = { x, y, ...sizes[i], layer: l, low, isLast: i === row[row.length - 1] };
      x += sizes[i].w + gapX;
    }
    y = low + gapY;
  });
  return { spots, width: width + 32, height: y };
}

/** A graph, and beside it what is known of the selected node. */
class Graph {
  constructor(box, graph, words) {
    this.graph = graph;
    this.words = words;
    const most = 26;
    const lines = graph.nodes.map((node) => [...node.title.split('; ').slice(0, 4).map((t) => cut(t, most)), ...node.text.slice(0, 6).map((t) => cut(t, most)), ...(node.text.length > 6 ? [`… ${node.text.length - 6} more`] : [])]);
    const sizes = lines.map((own) => ({ w: Math.max(60, Math.max(...own.map((t) => [...t].length)) * LETTER + 18), h: own.length * 17 + 10 }));
    const { spots, width: inner, height } = layered(graph, sizes);
    const beside = besides(graph, spots);
    const width = Math.max(inner, 16 + Math.max(0, ...beside));
    this.scroll = el('div', 'canvas');
    this.side = el('div', 'side');
    box.append(this.scroll, this.side);
    const svg = draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words.label });
    const arrows = draw('marker', { id: `tip-${words.id}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse' });
    arrows.append(draw('path', { d: 'M0 0L8 4L0 8z', class: 'tip' }));
    svg.append(draw('defs'));
    svg.firstChild.append(arrows);
    this.spots = spots;
    this.edges = graph.edges.map(([from, to, text], n) => {
      const path = draw('path', { d: curve(spots[from], spots[to], beside[n]), class: 'edge', 'marker-end': `url(#tip-${words.id})` });
      if (text) path.append(draw('title', {}, text));
      svg.append(path);
      return path;
    });
    this.boxes = graph.nodes.map((node, i) => {
      const { x, y, w, h } = spots[i];
      const group = draw('g', { class: `node${node.start ? ' start' : ''}${node.goal ? ' target' : ''}`, transform: `translate(${x} ${y})`, tabindex: -1 });
      group.append(draw('rect', { width: w, height: h, rx: 6 }));
      lines[i].forEach((text, k) => group.append(draw('text', { x: 9, y: 17 + k * 17, class: k ? '' : 'title' }, text)));
      group.addEventListener('click', () => this.select(i));
      group.addEventListener('focus', () => this.select(i));
      svg.append(group);
      return group;
    });
    this.scroll.append(svg);
    if (!words.follows) svg.addEventListener('keydown', (event) => this.key(event));
    const first = Math.max(0, graph.nodes.findIndex((node) => node.start));
    this.select(first);
    this.scroll.scrollTop = 0;
    this.scroll.scrollLeft = Math.max(0, spots[first].x + spots[first].w / 2 - this.scroll.clientWidth / 2);
  }

  /** Arrow keys lead to the nearest box in their direction. */
  key(event) {
    const way = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const middle = ({ x, y, w, h }) => [x + w / 2, y + h / 2];
    const [x, y] = middle(this.spots[this.chosen]);
    let [nearest, least] = [-1, Infinity];
    this.spots.forEach((spot, k) => {
      const [dx, dy] = [middle(spot)[0] - x, middle(spot)[1] - y];
      const along = dx * way[0] + dy * way[1];
      const across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (along > 1 && along + 3 * across < least) [nearest, least] = [k, along + 3 * across];
    });
    if (nearest >= 0) this.boxes[nearest].focus();
  }

  select(i) {
    this.chosen = i;
    this.boxes.forEach((box, k) => {
      box.classList.toggle('chosen', k === i);
      box.setAttribute('tabindex', k === i ? 0 : -1);
    });
    this.graph.edges.forEach(([from, to], k) => this.edges[k].classList.toggle('chosen', from === i || to === i));
    const node = this.graph.nodes[i];
    const parts = [el('h2', '', this.words.count), el('h3', '', node.title)];
    if (node.goal) parts.push(el('p', 'goal', 'a target'));
    if (node.start) parts.push(el('p', 'note', this.words.start));
    for (const text of node.text) parts.push(el('div', 'value', text));
    const links = (title, list) => {
      if (!list.length) return;
      parts.push(el('h2', '', title));
      for (const [k, text] of list.slice(0, 60)) {
        const button = el('button', 'link', `${text ? `${text} ` : ''}→ ${this.graph.nodes[k].title}`);
        button.addEventListener('click', () => this.boxes[k].focus());
        parts.push(button);
      }
    };
    links(this.words.out, this.graph.edges.filter((e) => e[0] === i).map((e) => [e[1], e[2]]));
    links(this.words.into, this.graph.edges.filter((e) => e[1] === i).map((e) => [e[0], e[2]]));
    this.side.replaceChildren(...parts);
    this.boxes[i].scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

/** Whether a run has objects. */
function hasMemory(trace) {
  return (trace.objects || []).some((object) => object.kind !== 'constant') || trace.steps.some((step) => step.memory);
}

/** So many objects are drawn. */
const MOST_DRAWN = 60;

/** The objects of a state, and which variables and cells point to them. */
function memoryGraph(box, state, threads) {
  const nodes = [];
  const edges = [];
  const numbers = new Map();
  const alive = [...state.objects.values()].filter((object) => object.alive && object.kind !== 'constant');
  const drawn = alive.sort((a, b) => b.when - a.when || a.number - b.number).slice(0, MOST_DRAWN).sort((a, b) => a.number - b.number);
  const pointers = [];
  const variables = (title, values, links) => {
    if (!links.size) return;
    const n = nodes.push({ title, text: [...links.keys()].map((name) => `${name} = ${values.get(name)}`), start: true }) - 1;
    for (const [name, to] of links) pointers.push([n, to, name]);
  };
  variables('globals', state.shared, state.links);
  for (const thread of threads) {
    const { stack } = state.threads.get(keyOf(thread));
    for (const frame of stack.slice(-8)) variables(frame.fn || 'main', frame.locals, frame.links);
  }
  for (const object of drawn) {
    const text = [...object.cells].map(([cell, value]) => (cell ? `${cell.replace(/^\./, '')} = ${value}` : String(value)));
    const n = nodes.push({ title: object.name, text }) - 1;
    numbers.set(object.number, n);
    for (const [cell, to] of object.links) pointers.push([n, to, cell.replace(/^\./, '')]);
  }
  for (const [from, to, text] of pointers) if (numbers.has(to)) edges.push([from, numbers.get(to), text]);
  if (!nodes.length) {
    box.append(el('p', 'none', 'No object is there at this step, and no variable points to one.'));
    return;
  }
  const count = alive.length > drawn.length ? `${drawn.length} of ${alive.length} objects` : `${drawn.length} object${drawn.length === 1 ? '' : 's'}`;
  const graph = new Graph(box, { nodes, edges }, { id: 'memory', label: 'Objects and pointers', count, start: 'variables that are pointers', out: 'points to', into: 'is pointed to by', follows: true });
  graph.scroll.tabIndex = 0;
}

/** A way from one box to another: down, back up beside everything between them, or to itself. */
function curve(a, b, beside) {
  if (a === b) {
    // On the left, where no other way is.
    const y = a.y + a.h / 2;
    return `M${a.x} ${y - 8}C${a.x - 19} ${y - 18} ${a.x - 19} ${y + 18} ${a.x} ${y + 8}`;
  }
  const [ax, bx] = [a.x + a.w / 2, b.x + b.w / 2];
  if (b.layer > a.layer) {
    const [ay, by] = [a.y + a.h, b.y];
    const bend = Math.min(60, (by - ay) / 2);
    return `M${ax} ${ay}C${ax} ${ay + bend} ${bx} ${by - bend} ${bx} ${by}`;
  }
  if (b.layer === a.layer) {
    // Below the layer, where only edges are.
    const [ay, by] = [a.y + a.h, b.y + b.h];
    return `M${ax} ${ay}C${ax} ${a.low + 26} ${bx} ${a.low + 26} ${bx} ${by}`;
  }
  // From the side of what nothing is beside, else through the room below the layer; up; and in alike, above the layer.
  const [low, high] = [a.isLast ? a.y + 0.75 * a.h : a.low + 16, b.isLast ? b.y + 0.25 * b.h : b.y - 14];
  const bend = Math.min(14, (low - high) / 3);
  const out = a.isLast ? `M${a.x + a.w} ${low}` : `M${ax} ${a.y + a.h}L${ax} ${low - 10}Q${ax} ${low} ${ax + 10} ${low}`;
  const into = b.isLast ? `L${b.x + b.w} ${high}` : `L${bx + 10} ${high}Q${bx} ${high} ${bx} ${b.y}`;
  return `${out}L${beside - bend} ${low}Q${beside} ${low} ${beside} ${low - bend}L${beside} ${high + bend}Q${beside} ${high} ${beside - bend} ${high}${into}`;
}

/** For each edge that leads back up where it has room: right of all boxes that it passes, each in a track of its own as far as there are some. */
function besides(graph, spots) {
  const rights = [];
  for (const spot of spots) rights[spot.layer] = Math.max(rights[spot.layer] || 0, spot.x + spot.w);
  const tracks = [];
  return graph.edges.map(([from, to]) => {
    const [low, high] = [spots[from].layer, spots[to].layer];
    if (high >= low) return 0;
    const right = Math.max(...rights.slice(high, low + 1));
    let track = tracks.findIndex((taken) => taken.every(([first, last]) => last < high || low < first));
    if (track < 0) track = tracks.length < MOST_TRACKS ? tracks.push([]) - 1 : tracks.length - 1;
    tracks[track].push([high, low]);
    return right + 14 + 7 * track;
  });
}

/** Threads over time: a lane each, and in it what a thread does before another one goes on. */
const MOST_CONTEXTS = 300;

function lanes(box, trace, { threads, label, hue, ending, last: end, go }) {
  const contexts = [];
  trace.steps.forEach((step, n) => {
    let last = contexts[contexts.length - 1];
    if (!last || last.context !== step.context || last.key !== keyOf(step)) {
      last = { key: keyOf(step), of: step, context: step.context, first: n + 1, last: n + 1, words: [] };
      contexts.push(last);
    }
    last.last = n + 1;
    const changed = (step.changes || []).filter((c) => c.function === null || c.function === undefined).map((c) => `${c.name} = ${c.value}`);
    const starts = step.kind === 'start' && step.starts ? [`starts ${step.starts}`] : [];
    for (const text of [...changed, ...starts]) last.words.push(text);
    if (step.statement) last.statement = step.statement;
  });
  const shown = contexts.slice(0, MOST_CONTEXTS);
  const [wide, head] = [200, 34];
  const names = [...threads.keys()];
  const texts = shown.map((c) => [`${c.first === c.last ? 'step' : 'steps'} ${trace.steps[c.first - 1].step}${c.first === c.last ? '' : `–${trace.steps[c.last - 1].step}`}`, ...(c.words.length ? c.words.slice(-5) : [c.statement || '']).filter((t) => t).map((t) => cut(t, 24))]);
  // The end stands with whoever took the last step.
  const isWhole = ending && contexts.length === shown.length && contexts.length > 0;
  const width = Math.max(names.length * wide + 16, isWhole ? [...ending].length * LETTER + 26 : 0);
  let y = head + 8;
  const tops = shown.map((c, i) => {
    const top = y;
    y += texts[i].length * 17 + 10 + 22;
    return top;
  });
  const height = y + (isWhole ? 40 : 10);
  const svg = draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Threads over time' });
  names.forEach((key, lane) => {
    const x = lane * wide + wide / 2;
    svg.append(draw('line', { x1: x, y1: head, x2: x, y2: height, class: 'lane', stroke: hue(lane) }));
    svg.append(draw('text', { x, y: 22, 'text-anchor': 'middle', class: 'title' }, cut(label(key), 24)));
  });
  shown.forEach((c, i) => {
    const lane = threads.get(c.key) || 0;
    const [x, top] = [lane * wide + 14, tops[i]];
    const tall = texts[i].length * 17 + 10;
    if (i > 0) {
      const before = threads.get(shown[i - 1].key) || 0;
      const from = tops[i - 1] + texts[i - 1].length * 17 + 10;
      svg.append(draw('path', { d: `M${before * wide + wide / 2} ${from}C${before * wide + wide / 2} ${from + 14} ${lane * wide + wide / 2} ${top - 14} ${lane * wide + wide / 2} ${top}`, class: 'edge dashed' }));
    }
    const group = draw('g', { class: 'node', transform: `translate(${x} ${top})`, tabindex: 0 });
    const rect = draw('rect', { width: wide - 28, height: tall, rx: 6 });
    rect.style.stroke = hue(lane);
    group.append(rect);
    texts[i].forEach((text, k) => group.append(draw('text', { x: 9, y: 17 + k * 17, class: k ? '' : 'title' }, text)));
    group.addEventListener('click', () => go(c.first));
    group.addEventListener('keydown', (event) => { if (event.key === 'Enter') go(c.first); });
    svg.append(group);
  });
  if (isWhole) {
    const lane = threads.get(shown[shown.length - 1].key) || 0;
    const wideEnd = [...ending].length * LETTER + 18;
    const x = Math.max(4, Math.min(lane * wide + wide / 2 - wideEnd / 2, width - wideEnd - 4));
    const group = draw('g', { class: 'node target', transform: `translate(${x} ${y - 8})`, tabindex: 0 });
    group.append(draw('rect', { width: wideEnd, height: 27, rx: 6 }), draw('text', { x: 9, y: 18, class: 'title' }, ending));
    group.addEventListener('click', () => go(end));
    group.addEventListener('keydown', (event) => { if (event.key === 'Enter') go(end); });
    svg.append(group);
  }
  const scroll = el('div', 'canvas');
  scroll.append(svg);
  if (contexts.length > shown.length) scroll.append(el('p', 'note', `The first ${shown.length} of ${contexts.length} contexts.`));
  box.append(scroll);
}

/** A bar: what it is of, its part of the longest one, and how much that is. */
function barOf(name, part, amount) {
  const line = el('div', 'bar');
  const track = el('span', 'track');
  const fill = el('span', 'fill');
  fill.style.width = `${part > 0 ? Math.max(0.5, 100 * part) : 0}%`;
  track.append(fill);
  line.append(el('span', 'name', name), track, el('span', 'amount', amount));
  return line;
}

/** Figures as bars: what took how long, relation by relation and clause by clause. */
function bars(box, stats, plain) {
  const relations = (stats && stats.relations) || [];
  const columns = [['seconds', 'Time', (v) => (v < 0.001 ? `${(v * 1e6).toFixed(0)} µs` : v < 1 ? `${(v * 1e3).toFixed(1)} ms` : `${v.toFixed(2)} s`)], ['rounds', 'Rounds', String], ['nodes', 'Nodes of diagrams', String]];
  const inner = el('div', 'bars');
  for (const [key, title, told] of columns) {
    const rows = relations.filter((r) => typeof r[key] === 'number').sort((a, b) => b[key] - a[key] || (a.relation < b.relation ? -1 : 1));
    if (!rows.length) continue;
    const most = Math.max(...rows.map((r) => r[key]), 1e-12);
    inner.append(el('h2', '', title));
    for (const row of rows.slice(0, 40)) inner.append(barOf(row.relation, row[key] / most, told(row[key])));
  }
  const clauses = ((stats && stats.clauses) || []).slice().sort((a, b) => b.work - a.work || b.runs - a.runs || a.line - b.line || a.column - b.column);
  if (clauses.length) inner.append(el('h2', '', 'The formula, line by line: runs, nodes made, results computed'));
  const most = Math.max(1, ...clauses.map((c) => c.work));
  for (const clause of clauses.slice(0, 40)) {
    const line = barOf(`${clause.file}:${clause.line}`, clause.work / most, clause.work.toLocaleString('en'));
    line.append(el('span', 'amount', `${clause.runs.toLocaleString('en')} run${clause.runs === 1 ? '' : 's'}`));
    inner.append(line, el('div', 'clause', (clause.relation ? `${clause.relation}: ` : '') + clause.text));
  }
  inner.append(el('h2', '', 'Figures'), el('pre', '', plain));
  box.append(inner);
}
