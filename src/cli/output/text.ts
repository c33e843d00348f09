// Text of others on somebody's terminal: what could steer the terminal is taken out, and columns are counted as they are seen.
const control = /(?![\n\t])[\p{Control}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const combining = /\p{Mark}|\u200B|\u200D/u;

/** Keeps lines and tabs, drops everything else that a terminal would obey. */
export function harmless(text: string): string {
  return text.replace(control, '');
}

/** The same on one line, for a cell of a table. */
export function oneLine(text: string): string {
  return harmless(text)
    .replaceAll(/[\n\t]+/g, ' ')
    .trim();
}

export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

export function cutTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let taken = 1;
  for (const character of text) {
    taken += widthOf(character);
    if (taken > width) break;
    kept += character;
  }
  return `${kept}…`;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function widthOf(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
