// Checks the identifiers of SEPA: IBAN, BIC, creditor identifier, and the ISO 11649 reference that a payer quotes.

/** Lengths of the IBANs of the countries in SEPA (EPC409-09). Direct debits reach no other account. */
const ibanLengths = new Map(
  [
    'AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26',
    'IT27 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 VA22',
  ]
    .join(' ')
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Returns the IBAN without spaces and in capitals, or undefined if it is not one of a SEPA country. */
export function parseIban(text: string): string | undefined {
  const iban = compact(text);
  const isFormed = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,27}$/.test(iban) && ibanLengths.get(iban.slice(0, 2)) === iban.length;
  return isFormed && remainder(iban.slice(4) + iban.slice(0, 4)) === 1 ? iban : undefined;
}

/** Returns what people may read of an IBAN: country and last four characters. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 2)}•• •••• ${iban.slice(-4)}`;
}

export function parseBic(text: string): string | undefined {
  const bic = compact(text);
  return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic) ? bic : undefined;
}

/** The three characters after the check digits are the creditor's own business code, which the check leaves out. */
export function parseCreditorId(text: string): string | undefined {
  const id = compact(text);
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/.test(id)) return undefined;
  return remainder(id.slice(7) + id.slice(0, 4)) === 1 ? id : undefined;
}

/** Returns the reference with which an account's transfers are recognised, such as RF18C1042. */
export function customerReference(account: number): string {
  const body = `C${account}`;
  const digits = String(98 - remainder(`${body}RF00`)).padStart(2, '0');
  return `RF${digits}${body}`;
}

/** Returns the accounts whose references a text contains, each once. */
export function referencedAccounts(text: string): number[] {
  const words = text.toUpperCase().matchAll(/\bRF([0-9]{2})\s?C([0-9]{1,15})\b/g);
  const accounts = Array.from(words, ([, digits, number]) => ({ digits: digits!, account: Number(number) }));
  const valid = accounts.filter(({ digits, account }) => customerReference(account) === `RF${digits}C${account}`);
  return [...new Set(valid.map(({ account }) => account))];
}

function compact(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/** The remainder modulo 97 of the number in which each letter stands for two digits (ISO 7064). */
function remainder(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
