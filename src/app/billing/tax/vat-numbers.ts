// Formats of VAT numbers, checked offline. A check digit is verified if its method is published; the register decides
// whether a number exists.

/** Without the prefix. The digits and letters are upper case. */
type Check = (number: string) => boolean;

const digitsOf = (text: string): number[] => [...text].map(Number);
const weightedSum = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * digits[index]!, 0);

/** The Luhn sum over all digits, from the right; zero for a correct number. */
function luhn(text: string): number {
  const sum = digitsOf(text)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit * 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10;
}

/** ISO 7064 MOD 11,10 over all digits but the last, which it is compared with. */
const mod11and10: Check = (number) => {
  const digits = digitsOf(number);
  const last = digits.pop();
  let product = 10;
  for (const digit of digits) {
    const sum = (digit + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === last;
};

/** ISO 7064 MOD 97-10 over digits and letters. */
function mod97(text: string): number {
  let rest = 0;
  for (const character of text)
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/** Compares the last digit with a weighted sum modulo 11, mapped by `digitOf`; a sum of ten is no number. */
function weighted11(weights: readonly number[], digitOf: (rest: number) => number = (rest) => rest): Check {
  return (number) => digitOf(weightedSum(digitsOf(number), weights) % 11) === Number(number.at(-1));
}

const austria: Check = (number) => {
  // The Luhn sum of the first seven digits and the check digit is six.
  const sum = luhn(number.slice(1, 8)) + Number(number.at(-1));
  return sum % 10 === 6;
};

const belgium: Check = (number) => 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8));

/** Old keys of letters have no published method. */
const france: Check = (number) =>
  /^[0-9]{2}/.test(number)
    ? luhn(number.slice(2)) === 0 && (12 + 3 * (Number(number.slice(2)) % 97)) % 97 === Number(number.slice(0, 2))
    : luhn(number.slice(2)) === 0;

/** Companies have an eleven-check of their old number; numbers of sole traders since 2020 have MOD 97-10. */
const netherlands: Check = (number) =>
  weighted11([9, 8, 7, 6, 5, 4, 3, 2])(number.slice(0, 9)) || mod97(`NL${number}`) === 1;

const spanishLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
const spain: Check = (number) => {
  const last = number.at(-1)!;
  const personal = number.replace(/^X/, '0').replace(/^Y/, '1').replace(/^Z/, '2');
  if (/^[0-9]/.test(personal)) return spanishLetters[Number(personal.slice(0, 8)) % 23] === last;
  if (/^[KLM]/.test(number)) return spanishLetters[Number(number.slice(1, 8)) % 23] === last;
  const control = (10 - luhn(`${number.slice(1, 8)}0`)) % 10;
  return last === String(control) || last === 'JABCDEFGHI'[control];
};

const denmark: Check = (number) => weightedSum(digitsOf(number), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
const estonia: Check = (number) => weightedSum(digitsOf(number), [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0;
const luxembourg: Check = (number) => Number(number.slice(0, 6)) % 89 === Number(number.slice(6));
const malta: Check = (number) => weightedSum(digitsOf(number), [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0;
const hungary: Check = (number) => weightedSum(digitsOf(number), [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0;
const greece: Check = (number) =>
  (weightedSum(digitsOf(number), [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(number.at(-1));
const switzerland: Check = (number) => weighted11([5, 4, 3, 2, 7, 6, 5, 4], complement)(number.slice(1, 10));
/** Eleven minus the rest, and zero for eleven. */
function complement(rest: number): number {
  return (11 - rest) % 11;
}

/** By prefix. `check` is missing if no method is published, or if several exist and none is complete. */
const formats: Readonly<Record<string, { readonly pattern: RegExp; readonly check?: Check }>> = {
  AT: { pattern: /^U[0-9]{8}$/, check: austria },
  BE: { pattern: /^[01][0-9]{9}$/, check: belgium },
  BG: { pattern: /^[0-9]{9,10}$/ },
  CY: { pattern: /^[0-9]{8}[A-Z]$/ },
  CZ: { pattern: /^[0-9]{8,10}$/ },
  DE: { pattern: /^[1-9][0-9]{8}$/, check: mod11and10 },
  DK: { pattern: /^[1-9][0-9]{7}$/, check: denmark },
  EE: { pattern: /^10[0-9]{7}$/, check: estonia },
  EL: { pattern: /^[0-9]{9}$/, check: greece },
  ES: { pattern: /^(?:[0-9]{8}[A-Z]|[XYZKLM][0-9]{7}[A-Z]|[ABCDEFGHJNPQRSUVW][0-9]{7}[0-9A-J])$/, check: spain },
  FI: { pattern: /^[0-9]{8}$/, check: weighted11([7, 9, 10, 5, 8, 4, 2], complement) },
  FR: { pattern: /^[0-9A-HJ-NP-Z]{2}[0-9]{9}$/, check: france },
  HR: { pattern: /^[0-9]{11}$/, check: mod11and10 },
  HU: { pattern: /^[0-9]{8}$/, check: hungary },
  IE: { pattern: /^[0-9][0-9A-Z+*][0-9]{5}[A-W][A-I]?$/ },
  IT: { pattern: /^[0-9]{11}$/, check: (number) => luhn(number) === 0 },
  LT: { pattern: /^(?:[0-9]{9}|[0-9]{12})$/ },
  LU: { pattern: /^[0-9]{8}$/, check: luxembourg },
  LV: { pattern: /^[0-9]{11}$/ },
  MT: { pattern: /^[1-9][0-9]{7}$/, check: malta },
  NL: { pattern: /^[0-9]{9}B[0-9]{2}$/, check: netherlands },
  PL: { pattern: /^[0-9]{10}$/, check: weighted11([6, 5, 7, 2, 3, 4, 5, 6, 7]) },
  PT: { pattern: /^[1-9][0-9]{8}$/, check: weighted11([9, 8, 7, 6, 5, 4, 3, 2], (rest) => (rest < 2 ? 0 : 11 - rest)) },
  RO: { pattern: /^[1-9][0-9]{1,9}$/ },
  SE: { pattern: /^[0-9]{12}$/, check: (number) => luhn(number.slice(0, 10)) === 0 },
  SI: { pattern: /^[1-9][0-9]{7}$/, check: weighted11([8, 7, 6, 5, 4, 3, 2], (rest) => (11 - rest) % 10) },
  SK: { pattern: /^[1-9][0-9]{9}$/, check: (number) => Number(number) % 11 === 0 },
  XI: { pattern: /^(?:[0-9]{9}|[0-9]{12}|(?:GD|HA)[0-9]{3})$/ },
  GB: { pattern: /^(?:[0-9]{9}|[0-9]{12}|(?:GD|HA)[0-9]{3})$/ },
  CH: { pattern: /^E[0-9]{9}(?:MWST|TVA|IVA)?$/, check: switzerland },
  NO: {
    pattern: /^[0-9]{9}(?:MVA)?$/,
    check: (number) => weighted11([3, 2, 7, 6, 5, 4, 3, 2], complement)(number.slice(0, 9)),
  },
};

/** Numbers with these prefixes are in VIES. */
const registered = new Set(Object.keys(formats).filter((prefix) => !['GB', 'CH', 'NO'].includes(prefix)));

/** Returns the number as registers write it: upper case, without blanks and punctuation. */
export function normalizeVatNumber(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z+*]/g, '');
}

/** Takes a normalized number. Those of countries without a known format are accepted. */
export function hasVatFormat(number: string): boolean {
  const format = formats[number.slice(0, 2)];
  if (format === undefined) return /^[A-Z]{2}[0-9A-Z]{2,18}$/.test(number);
  const own = number.slice(2);
  return format.pattern.test(own) && format.check?.(own) !== false;
}

export function isInVies(number: string): boolean {
  return registered.has(number.slice(0, 2));
}
