// Why banks return direct debits (EPC173-14).

const reasons: Readonly<Record<string, string>> = {
  AC01: 'The account number is wrong.',
  AC04: 'The account is closed.',
  AC06: 'The account is blocked.',
  AC13: 'The account is a consumer’s, and the mandate is for businesses.',
  AG01: 'The account does not allow direct debits.',
  AG02: 'The bank does not support this kind of direct debit.',
  AM04: 'The account had too little money.',
  AM05: 'The bank considers it a duplicate.',
  BE05: 'The creditor identifier is wrong.',
  CNOR: 'The creditor’s bank is not registered.',
  DNOR: 'The customer’s bank is not registered.',
  FF01: 'The bank could not read the direct debit.',
  MD01: 'There is no mandate, or the customer revoked it.',
  MD06: 'The customer objected to the direct debit.',
  MD07: 'The customer has died.',
  MS02: 'The customer refused the direct debit.',
  MS03: 'The bank gave no reason.',
  RC01: 'The bank identifier is wrong.',
  RR01: 'The bank lacks details that regulations require.',
  RR04: 'Regulations do not allow the direct debit.',
  SL01: 'The customer has blocked direct debits at the bank.',
};

/** After these, another direct debit of the same mandate would be returned too. */
const final = new Set(['AC01', 'AC04', 'AC06', 'AC13', 'AG01', 'MD01', 'MD07', 'RC01', 'RR04', 'SL01']);

export function endsMandate(code: string): boolean {
  return final.has(code);
}

export function returnReason(code: string): string {
  return `${code} ${reasons[code] ?? 'The bank returned the direct debit.'}`.trim();
}
