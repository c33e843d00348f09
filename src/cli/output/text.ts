// Prepares untrusted text for a terminal: removes control characters, and measures width in terminal columns.
const control = /(?![\n\t])[\p{Control}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const combining = /\p{Mark}|\u200B|\u200D/u;

/** Removes everything that a terminal would interpret, except for line feeds and tabs. */
export function stripControls(text: string): string {
  return text.replace(control, '');
}

/** Does the same, and joins the lines, for a table cell. */
export function singleLine(text: string): string {
  return stripControls(text)
    .replaceAll(/[\n\t]+/g, ' ')
    .trim();
}

/** Writes what a terminal would interpret as escapes of JSON, which YAML has as well. Only for text that is JSON or quoted. */
export function escapeControls(json: string): string {
  return json.replace(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let result = '';
  // The ellipsis takes one column.
  let used = 1;
  for (const character of text) {
    used += widthOf(character);
    if (used > width) break;
    result += character;
  }
  return `${result}…`;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function widthOf(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
