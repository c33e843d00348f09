// Graphs in braille characters: each has two by four dots, so that one character shows two values at four heights. A dashed
// line marks a level, such as the 95th percentile.
const dots = [
  [0x40, 0x04, 0x02, 0x01],
  [0x80, 0x20, 0x10, 0x08],
] as const;
const blank = 0x2800;
const dash = '╌';

export interface GraphSize {
  /** In characters. */
  readonly width: number;
  readonly height: number;
}

/** Returns the maximum of each column of dots, so that no peak is lost when there are more values than columns. */
export function columnsOf(values: readonly number[], count: number): number[] {
  if (values.length === 0) return Array<number>(count).fill(0);
  return Array.from({ length: count }, (_, column) => {
    const from = Math.floor((column * values.length) / count);
    const to = Math.max(from + 1, Math.floor(((column + 1) * values.length) / count));
    return Math.max(...values.slice(from, to));
  });
}

/** Returns the rows from the top down, filled below the values. */
export function graphRows(values: readonly number[], top: number, level: number, size: GraphSize): string[] {
  const levels = size.height * 4;
  const scale = top > 0 ? levels / top : 0;
  const heights = columnsOf(values, size.width * 2).map((value) =>
    // Any traffic at all gets a dot.
    value > 0 ? Math.max(1, Math.round(value * scale)) : 0,
  );
  const levelRow = level > 0 ? size.height - 1 - Math.min(size.height - 1, Math.floor((level * scale - 1) / 4)) : -1;
  return Array.from({ length: size.height }, (_, row) => {
    const floor = (size.height - 1 - row) * 4;
    let line = '';
    for (let column = 0; column < size.width; column++) {
      const mask = maskOf(dots[0], heights[column * 2]! - floor) | maskOf(dots[1], heights[column * 2 + 1]! - floor);
      line += mask === 0 && row === levelRow ? dash : String.fromCharCode(blank + mask);
    }
    return line.replaceAll(String.fromCharCode(blank), ' ');
  });
}

function maskOf(column: readonly number[], height: number): number {
  return column.slice(0, Math.max(0, Math.min(4, height))).reduce((mask, dot) => mask | dot, 0);
}
