// The characters that every bank in SEPA accepts (EPC217-08). Others are replaced, so that no file is rejected because of
// a name.

/**
 * Letters that do not decompose into a base letter and accents. German umlauts become two letters, as usual in German.
 * Each entry is a character followed by its replacement.
 */
const replacements = new Map(
  [
    `ÄAe ÖOe ÜUe äae öoe üue ßss ẞSS ÆAe æae ŒOe œoe ØO øo ÅA åa ŁL łl ĐD đd ÐD ðd ÞTh þth ıi ĦH ħh ŊN`,
    `ŋn &+ _- –- —- ’' ‘' ´' \`' „' “' ”' "' *. $. %. @(at) €EUR ;, [( ]) {( }) \\/ |/`,
  ]
    .join(' ')
    .split(' ')
    .map((entry) => [entry.slice(0, 1), entry.slice(1)]),
);

const greek = 'αβγδεζηθικλμνξοπρςστυφχψω';
const greekLetters = 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'.split(' ');
const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъьюя';
const cyrillicLetters = 'a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sht a y yu ya'.split(' ');

const scripts = new Map([
  ...Array.from(greek, (letter, index) => [letter, greekLetters[index]!] as const),
  ...Array.from(cyrillic, (letter, index) => [letter, cyrillicLetters[index]!] as const),
]);

/** Returns the text in the characters of SEPA, at most `max` of them, with single spaces. */
export function toSepaText(text: string, max: number): string {
  const characters = Array.from(text.normalize('NFC'), toSepaCharacter).join('');
  // A field must not begin or end with a slash, nor contain two in a row: these have a meaning to banks.
  const clean = characters.replaceAll(/\/{2,}/g, '/').replaceAll(/ +/g, ' ');
  return trimEnds(trimEnds(clean).slice(0, max));
}

function toSepaCharacter(character: string): string {
  if (/[A-Za-z0-9/?:().,'+ -]/.test(character)) return character;
  if (/\s/.test(character)) return ' ';
  const replacement = replacements.get(character);
  if (replacement !== undefined) return replacement;
  const plain = character.normalize('NFD').replaceAll(/\p{M}/gu, '');
  if (plain !== character && plain !== '') return Array.from(plain, toSepaCharacter).join('');
  const lower = character.toLowerCase();
  const letters = scripts.get(lower);
  if (letters === undefined) return plain === '' ? '' : '.';
  return lower === character ? letters : letters.charAt(0).toUpperCase() + letters.slice(1);
}

function trimEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && (text[start] === ' ' || text[start] === '/')) start++;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '/')) end--;
  return text.slice(start, end);
}
