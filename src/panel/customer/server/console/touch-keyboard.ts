// Turns what a phone's on-screen keyboard enters into key presses. Such keyboards report no keys, only how the text of a field
// changes. The text is left alone while it changes, because keyboards that complete words lose track otherwise.

/** The first text of the field, so that there is something to delete. */
export const placeholder = '\u00a0'.repeat(8);
const maxLength = 200;

const namedKeys: Readonly<Record<string, number>> = {
  Backspace: 0xff08,
  Tab: 0xff09,
  Enter: 0xff0d,
  Escape: 0xff1b,
  Home: 0xff50,
  ArrowLeft: 0xff51,
  ArrowUp: 0xff52,
  ArrowRight: 0xff53,
  ArrowDown: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  Delete: 0xffff,
};

/** Returns the X11 keysym of a key that enters no text, or undefined. */
export function namedKeysym(key: string): number | undefined {
  return Object.hasOwn(namedKeys, key) ? namedKeys[key] : undefined;
}

/** Returns the keysyms that turn one text into the other. */
export function keysymsBetween(before: string, after: string): number[] {
  const [old, next] = [[...before], [...after]];
  let kept = 0;
  while (kept < old.length && old[kept] === next[kept]) kept++;
  const deleted = Array.from({ length: old.length - kept }, () => namedKeys['Backspace']!);
  return [...deleted, ...next.slice(kept).map(characterKeysym)];
}

/** Returns the text that the field gets: the same, or the placeholder if it has become too short or too long. */
export function nextText(text: string): string {
  return text === '' || text.length > maxLength ? placeholder : text;
}

/** Latin-1 characters are their own keysyms; others have an offset. */
function characterKeysym(character: string): number {
  if (character === '\n') return namedKeys['Enter']!;
  const code = character.codePointAt(0)!;
  return code < 0x100 ? code : 0x0100_0000 + code;
}
