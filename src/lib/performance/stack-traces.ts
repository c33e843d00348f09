// Makes stack traces name our sources instead of the bundle that contains them. Node's source maps would do it too, but take tens of
// megabytes, and a tenth of a second at the first error.

/** Which source lines a bundle consists of. */
export interface LineTable {
  /** URLs of the sources. */
  readonly files: readonly string[];
  /** The start of each run of code from one source line, in ascending order, packed by `packPosition`. */
  readonly positions: Uint32Array;
  /** The source line of each run, packed by `packLine`. */
  readonly lines: Uint32Array;
}

const columnBits = 12;
const maxColumn = 2 ** columnBits - 1;
const lineBits = 16;
const maxLine = 2 ** lineBits - 1;

/** Lines and columns are counted from one. */
export function packPosition(line: number, column: number): number {
  return line * (maxColumn + 1) + Math.min(column, maxColumn);
}

export function packLine(file: number, line: number): number {
  return file * (maxLine + 1) + Math.min(line, maxLine);
}

/** The file has all positions first, then all lines. */
export function readLineTable(files: readonly string[], stored: Buffer): LineTable {
  const { buffer } = new Uint8Array(stored);
  const bytes = buffer.byteLength / 2;
  return { files, positions: new Uint32Array(buffer, 0, bytes / 4), lines: new Uint32Array(buffer, bytes) };
}

/** Applies to the files in this folder. Reads their tables when they are needed: most processes never print a stack trace. */
export function mapStackTraces(folder: string, readTable: (file: string) => LineTable): void {
  const tables = new Map<string, LineTable>();
  const place = new RegExp(`${folder.replaceAll(/\W/g, '\\$&')}([\\w.-]+):(\\d+):(\\d+)`, 'g');
  const findPlace = (whole: string, file: string, line: string, column: string): string => {
    try {
      const table = tables.get(file) ?? readTable(file);
      tables.set(file, table);
      return sourcePlace(table, Number(line), Number(column));
    } catch {
      // An upgrade may have removed the table.
      return whole;
    }
  };
  Error.prepareStackTrace = (error, frames) =>
    [headingOf(error), ...frames.map((frame) => `    at ${String(frame).replace(place, findPlace)}`)].join('\n');
}

/** As V8 does it, which never throws. */
function headingOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

/** Returns the file and line that this place in a bundle comes from. */
export function sourcePlace({ files, positions, lines }: LineTable, line: number, column: number): string {
  const wanted = packPosition(line, column);
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (positions[middle]! <= wanted) low = middle + 1;
    else high = middle;
  }
  const packed = lines[low - 1] ?? 0;
  return `${files[Math.floor(packed / (maxLine + 1))]}:${packed & maxLine}`;
}
