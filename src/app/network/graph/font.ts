// The outlines of a TrueType font, as far as labels need them. The renderer can set text itself, but it lays out each label
// anew with all the font's rules, which took longer than everything else in a chart; here a glyph is read once and is from then
// on a piece of path that labels are put together from.

export interface Font {
  readonly unitsPerEm: number;
  /** SVG path data that begins at the pen's place, in font units with y upwards, and the advance of the whole. */
  outline(text: string): { readonly path: string; readonly width: number };
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOnCurve: boolean;
}

type Contour = readonly Point[];

export function openFont(file: Buffer): Font {
  const tables = tablesOf(file);
  const table = (name: string) => {
    const found = tables.get(name);
    if (found === undefined) throw new Error(`the font has no table ${name}`);
    return found;
  };
  const [head, hmtx, glyf] = [table('head'), table('hmtx'), table('glyf')];
  const glyphOf = characterMap(table('cmap'));
  const advances = table('hhea').readUInt16BE(34);
  const offsets = locations(table('loca'), head.readInt16BE(50));
  const contours = (glyph: number): Contour[] => glyphContours(glyf, offsets, glyph);

  const cache = new Map<number, { path: string; width: number }>();
  const outlineOf = (codePoint: number) => {
    let outline = cache.get(codePoint);
    if (outline === undefined) {
      const glyph = glyphOf(codePoint);
      const width = hmtx.readUInt16BE(Math.min(glyph, advances - 1) * 4);
      outline = { path: relativePath(contours(glyph), width), width };
      cache.set(codePoint, outline);
    }
    return outline;
  };

  return {
    unitsPerEm: head.readUInt16BE(18),
    outline: (text) => {
      const parts = Array.from(text, (character) => outlineOf(character.codePointAt(0)!));
      return { path: parts.map(({ path }) => path).join(''), width: parts.reduce((sum, { width }) => sum + width, 0) };
    },
  };
}

function tablesOf(file: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < file.readUInt16BE(4); index++) {
    const entry = 12 + index * 16;
    const [offset, length] = [file.readUInt32BE(entry + 8), file.readUInt32BE(entry + 12)];
    tables.set(file.toString('latin1', entry, entry + 4), file.subarray(offset, offset + length));
  }
  return tables;
}

/** Character to glyph by a subtable of format 4, which every font for Unicode has; 0, the empty box, for what it lacks. */
function characterMap(cmap: Buffer): (codePoint: number) => number {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(8 + index * 8)),
  );
  const map = subtables.find((subtable) => subtable.readUInt16BE(0) === 4);
  if (map === undefined) throw new Error('the font has no character map of format 4');
  const size = map.readUInt16BE(6);
  return (codePoint) => {
    for (let segment = 0; segment < size; segment += 2) {
      if (codePoint > map.readUInt16BE(14 + segment)) continue;
      const start = map.readUInt16BE(16 + size + segment);
      if (codePoint < start) return 0;
      const delta = map.readUInt16BE(16 + 2 * size + segment);
      const rangeAt = 16 + 3 * size + segment;
      const range = map.readUInt16BE(rangeAt);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = map.readUInt16BE(rangeAt + range + (codePoint - start) * 2);
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

function locations(loca: Buffer, format: number): (glyph: number) => number {
  return format === 0 ? (glyph) => loca.readUInt16BE(glyph * 2) * 2 : (glyph) => loca.readUInt32BE(glyph * 4);
}

function glyphContours(glyf: Buffer, offsetOf: (glyph: number) => number, glyph: number): Contour[] {
  const [start, end] = [offsetOf(glyph), offsetOf(glyph + 1)];
  if (start === end) return [];
  const data = glyf.subarray(start, end);
  const count = data.readInt16BE(0);
  return count >= 0
    ? simpleContours(data, count)
    : compositeContours(data, (part) => glyphContours(glyf, offsetOf, part));
}

const FLAG = { onCurve: 1, shortX: 2, shortY: 4, repeat: 8, sameOrPositiveX: 16, sameOrPositiveY: 32 } as const;

function simpleContours(data: Buffer, count: number): Contour[] {
  const ends = Array.from({ length: count }, (_, index) => data.readUInt16BE(10 + index * 2));
  const pointCount = (ends.at(-1) ?? -1) + 1;
  let at = 10 + count * 2;
  at += 2 + data.readUInt16BE(at);
  const flags: number[] = [];
  while (flags.length < pointCount) {
    const flag = data[at++]!;
    const times = (flag & FLAG.repeat) === 0 ? 1 : data[at++]! + 1;
    for (let time = 0; time < times; time++) flags.push(flag);
  }
  const coordinates = (short: number, sameOrPositive: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      const isSameOrPositive = (flag & sameOrPositive) !== 0;
      if ((flag & short) !== 0) value += isSameOrPositive ? data[at++]! : -data[at++]!;
      else if (!isSameOrPositive) {
        value += data.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = coordinates(FLAG.shortX, FLAG.sameOrPositiveX);
  const ys = coordinates(FLAG.shortY, FLAG.sameOrPositiveY);
  const points = flags.map((flag, index) => ({ x: xs[index]!, y: ys[index]!, isOnCurve: (flag & FLAG.onCurve) !== 0 }));
  return ends.map((end, index) => points.slice(index === 0 ? 0 : ends[index - 1]! + 1, end + 1));
}

const PART = { words: 1, offsets: 2, scale: 8, more: 32, twoScales: 64, matrix: 128 } as const;

/** Letters with accents: parts moved into place. Labels need no scaled parts, and such a part is shown unscaled. */
function compositeContours(data: Buffer, contoursOf: (glyph: number) => Contour[]): Contour[] {
  const contours: Contour[] = [];
  for (let at = 10, flags: number = PART.more; (flags & PART.more) !== 0;) {
    flags = data.readUInt16BE(at);
    const isWide = (flags & PART.words) !== 0;
    const isMoved = (flags & PART.offsets) !== 0;
    const dx = !isMoved ? 0 : isWide ? data.readInt16BE(at + 4) : data.readInt8(at + 4);
    const dy = !isMoved ? 0 : isWide ? data.readInt16BE(at + 6) : data.readInt8(at + 5);
    for (const contour of contoursOf(data.readUInt16BE(at + 2)))
      contours.push(contour.map(({ x, y, isOnCurve }) => ({ x: x + dx, y: y + dy, isOnCurve })));
    at += 4 + (isWide ? 4 : 2);
    at += (flags & PART.scale) !== 0 ? 2 : (flags & PART.twoScales) !== 0 ? 4 : (flags & PART.matrix) !== 0 ? 8 : 0;
  }
  return contours;
}

/** Relative to the pen and back to it, moved on by the advance: such pieces can be written one after the other. */
function relativePath(contours: readonly Contour[], advance: number): string {
  let [path, penX, penY] = ['', 0, 0];
  for (const contour of contours) {
    const points = withImpliedPoints(contour);
    const [start] = points;
    if (start === undefined) continue;
    path += `m${start.x - penX} ${start.y - penY}`;
    let [x, y] = [start.x, start.y];
    for (let index = 1; index <= points.length; index++) {
      const point = points[index % points.length]!;
      if (point.isOnCurve) path += `l${point.x - x} ${point.y - y}`;
      const end = point.isOnCurve ? point : points[++index % points.length]!;
      if (!point.isOnCurve) path += `q${point.x - x} ${point.y - y} ${end.x - x} ${end.y - y}`;
      [x, y] = [end.x, end.y];
    }
    path += 'z';
    [penX, penY] = [start.x, start.y];
  }
  return `${path}m${advance - penX} ${-penY}`;
}

/** Between two control points lies a point of the curve that the font leaves out; a contour begins on the curve. */
function withImpliedPoints(contour: Contour): Point[] {
  const points: Point[] = [];
  for (const [index, point] of contour.entries()) {
    const next = contour[(index + 1) % contour.length]!;
    points.push(point);
    if (!point.isOnCurve && !next.isOnCurve)
      points.push({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, isOnCurve: true });
  }
  const first = points.findIndex(({ isOnCurve }) => isOnCurve);
  return first < 0 ? [] : [...points.slice(first), ...points.slice(0, first)];
}
