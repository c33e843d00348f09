// The characters of keysyms from before X11 used Unicode, which viewers still send for letters of national keyboards. Each
// alphabet has a page: the high byte selects it, and the low byte is mostly the character's code in an old encoding.

const encodings: Readonly<Record<number, string>> = {
  0x01: 'iso-8859-2',
  0x02: 'iso-8859-3',
  0x03: 'iso-8859-4',
  0x05: 'iso-8859-6',
  0x06: 'koi8-u',
  0x0c: 'iso-8859-8',
  0x0d: 'windows-874',
  0x13: 'iso-8859-15',
};
/** Where the page has other characters than the encoding. */
const exceptions: Readonly<Record<number, string>> = {
  0x20ac: '€',
  ...run(0x0aa9, '—–'),
  ...run(0x0aae, '…'),
  ...run(0x0ac9, '™'),
  ...run(0x0ad0, '‘’“”'),
  ...run(0x0afd, '‚„'),
  ...run(0x03a2, 'ĸ'),
  ...run(0x06a1, 'ђѓёєѕіїјљњћќґўџ'),
  ...run(0x06b0, '№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏ'),
  ...run(0x07a1, 'ΆΈΉΊΪ'),
  ...run(0x07a7, 'ΌΎΫ'),
  ...run(0x07ab, 'Ώ'),
  ...run(0x07b1, 'άέήίϊΐόύϋΰώ'),
  ...run(0x07c1, 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣ'),
  ...run(0x07d4, 'ΤΥΦΧΨΩ'),
  ...run(0x07e1, 'αβγδεζηθικλμνξοπρσςτυφχψω'),
};
const decoders = new Map(
  Object.entries(encodings).map(([page, label]) => [Number(page), new TextDecoder(label, { fatal: true })]),
);
const firstCode = 0xa1;

function run(first: number, characters: string): Record<number, string> {
  return Object.fromEntries([...characters].map((character, index) => [first + index, character]));
}

/** Returns undefined for a keysym that is not a letter of these alphabets. */
export function nationalCharacter(keysym: number): string | undefined {
  if (exceptions[keysym] !== undefined) return exceptions[keysym];
  const decoder = decoders.get(keysym >> 8);
  if (decoder === undefined || (keysym & 0xff) < firstCode) return undefined;
  try {
    return decoder.decode(Uint8Array.of(keysym & 0xff));
  } catch {
    // The encoding has no character there.
    return undefined;
  }
}
