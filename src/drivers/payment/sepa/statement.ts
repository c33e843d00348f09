// Reads bank statements: camt.053 (a day's bookings with balances) and camt.054 (details of bookings), in the versions
// .02 and .08. A statement that is not understood completely is rejected, because a wrong guess moves money.
import { moneyCents } from '#lib/money.ts';
import { dayNumber } from '#lib/time.ts';
import { MalformedXmlError, parseXml, type Element } from '#lib/xml-tree.ts';

export interface StatementEntry {
  /** The day of booking. */
  readonly day: number;
  /** Negative if money left the account. */
  readonly cents: number;
  /** The bank's reference; empty if it gives none. */
  readonly bankReference: string;
  readonly endToEndId: string;
  /** The part of our file that a batch booking is about; empty if the booking has details or is not about a file. */
  readonly batchId: string;
  /** Why a payment was returned, such as MD01; empty if it was not. */
  readonly returnCode: string;
  readonly counterparty: string;
  readonly counterpartyIban: string;
  readonly text: string;
}

export interface Statement {
  readonly kind: 'statement' | 'notification';
  readonly id: string;
  readonly iban: string;
  readonly createdAt: string;
  readonly openingCents: number | undefined;
  readonly closingCents: number | undefined;
  readonly entries: readonly StatementEntry[];
}

export class StatementUnreadableError extends Error {
  override readonly name = 'StatementUnreadableError';
}

/** More than a day of a provider with 10,000 accounts. */
const maxCharacters = 8 * 1024 * 1024;

const roots: Readonly<
  Record<string, { readonly body: string; readonly part: string; readonly kind: Statement['kind'] }>
> = {
  'camt.053': { body: 'BkToCstmrStmt', part: 'Stmt', kind: 'statement' },
  'camt.054': { body: 'BkToCstmrDbtCdtNtfctn', part: 'Ntfctn', kind: 'notification' },
};

/** Returns the statements of a file, of which there may be several, for several accounts. */
export function readStatements(xml: string): Statement[] {
  if (xml.length > maxCharacters) throw unreadable('The file is larger than 8 MB.');
  // Neither occurs in statements of banks, and both hide text from a reader that does not expand them.
  if (xml.includes('<!DOCTYPE') || xml.includes('<!ENTITY') || xml.includes('<![CDATA['))
    throw unreadable('The file contains a document type or CDATA, which bank statements do not.');
  const document = parseDocument(xml);
  const namespace = Object.entries(document.attributes).find(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  const version = /:(camt\.05[34])\.001\.(?:02|08)$/.exec(namespace?.[1] ?? '')?.[1];
  const root = version === undefined || localName(document) !== 'Document' ? undefined : roots[version];
  if (root === undefined) throw unreadable('The file is not a camt.053 or camt.054 of version .02 or .08.');
  const body = required(document, root.body);
  const statements = children(body, root.part).map((part) => readStatement(part, root.kind));
  if (statements.length === 0) throw unreadable('The file contains no statement.');
  return statements;
}

function parseDocument(xml: string): Element {
  try {
    return parseXml(xml);
  } catch (error) {
    if (!(error instanceof MalformedXmlError)) throw error;
    throw unreadable('The file is not well-formed XML.');
  }
}

function readStatement(part: Element, kind: Statement['kind']): Statement {
  const iban = text(part, 'Acct', 'Id', 'IBAN');
  if (iban === '') throw unreadable('A statement does not name its account by IBAN.');
  const statement = {
    kind,
    id: text(part, 'Id'),
    iban,
    createdAt: text(part, 'CreDtTm'),
    openingCents: readBalance(part, 'OPBD') ?? readBalance(part, 'PRCD'),
    closingCents: readBalance(part, 'CLBD'),
    entries: children(part, 'Ntry').filter(isBooked).flatMap(readEntry),
  };
  const { openingCents, closingCents, entries } = statement;
  const total = entries.reduce((sum, { cents }) => sum + cents, 0);
  if (openingCents !== undefined && closingCents !== undefined && openingCents + total !== closingCents)
    throw unreadable(`The entries of statement ${statement.id} do not add up to its closing balance.`);
  return statement;
}

/** A balance that is in another currency than euro makes the account unusable for SEPA. */
function readBalance(part: Element, code: string): number | undefined {
  const balance = children(part, 'Bal').find((candidate) => text(candidate, 'Tp', 'CdOrPrtry', 'Cd') === code);
  return balance === undefined ? undefined : readSignedAmount(balance);
}

/** The state is a text in version .02 and a code in .08. Pending and informational bookings move no money. */
function isBooked(entry: Element): boolean {
  const state = required(entry, 'Sts');
  return (text(state, 'Cd') || state.text.trim()) === 'BOOK';
}

/** A batch booking has several details, each with its own amount. */
function readEntry(entry: Element): StatementEntry[] {
  const cents = readSignedAmount(entry);
  const day = readDay(entry);
  const details = children(entry, 'NtryDtls').flatMap((part) => children(part, 'TxDtls'));
  const bankReference = readReference(entry, 'AcctSvcrRef');
  if (details.length <= 1) {
    const [detail] = details;
    const batchId = children(entry, 'NtryDtls').map((part) => text(part, 'Btch', 'PmtInfId'))[0] ?? '';
    const read = readDetail(detail, cents);
    const isBatch = read.endToEndId === '' && read.returnCode === '';
    const about = detail === undefined ? '' : readReference(detail, 'Refs', 'PmtInfId');
    const fallback = text(entry, 'AddtlNtryInf');
    return [
      {
        ...read,
        day,
        cents,
        bankReference: read.bankReference || bankReference,
        batchId: isBatch ? batchId || about : '',
        text: read.text || fallback,
      },
    ];
  }
  const parts = details.map((detail, index) => {
    const read = readDetail(detail, readDetailAmount(detail, cents));
    return {
      ...read,
      day,
      batchId: '',
      bankReference: read.bankReference || (bankReference && `${bankReference}/${index + 1}`),
    };
  });
  if (parts.reduce((sum, part) => sum + part.cents, 0) !== cents)
    throw unreadable(`The details of the booking ${bankReference} do not add up to its amount.`);
  return parts;
}

function readDetail(detail: Element | undefined, cents: number) {
  if (detail === undefined)
    return {
      cents,
      bankReference: '',
      endToEndId: '',
      returnCode: '',
      counterparty: '',
      counterpartyIban: '',
      text: '',
    };
  const returnCode = text(detail, 'RtrInf', 'Rsn', 'Cd') || text(detail, 'RtrInf', 'Rsn', 'Prtry');
  // The other party of a returned debit is the debtor of the original, although the money leaves our account.
  const role = cents > 0 === (returnCode === '') ? 'Dbtr' : 'Cdtr';
  const parties = children(detail, 'RltdPties')[0];
  const remittance = children(detail, 'RmtInf')[0];
  return {
    cents,
    bankReference: readReference(detail, 'Refs', 'AcctSvcrRef'),
    endToEndId: readReference(detail, 'Refs', 'EndToEndId'),
    returnCode,
    counterparty: parties === undefined ? '' : text(parties, role, 'Nm') || text(parties, role, 'Pty', 'Nm'),
    counterpartyIban: parties === undefined ? '' : text(parties, `${role}Acct`, 'Id', 'IBAN'),
    text: remittance === undefined ? '' : readRemittance(remittance),
  };
}

function readRemittance(remittance: Element): string {
  const structured = children(remittance, 'Strd').map((part) => text(part, 'CdtrRefInf', 'Ref'));
  return [...children(remittance, 'Ustrd').map(({ text: line }) => line.trim()), ...structured].join(' ').trim();
}

/** Version .08 has the amount in the detail itself, .02 in its details of amounts. */
function readDetailAmount(detail: Element, entryCents: number): number {
  const own =
    children(detail, 'Amt')[0] ?? at(detail, 'AmtDtls', 'TxAmt', 'Amt') ?? at(detail, 'AmtDtls', 'InstdAmt', 'Amt');
  if (own === undefined) throw unreadable('A detail of a batch booking has no amount.');
  const direction = text(detail, 'CdtDbtInd');
  return readAmount(own) * (direction === '' ? Math.sign(entryCents) : readSign(direction));
}

function readSignedAmount(part: Element): number {
  return readAmount(required(part, 'Amt')) * readSign(text(part, 'CdtDbtInd'));
}

function readSign(indicator: string): 1 | -1 {
  if (indicator !== 'CRDT' && indicator !== 'DBIT') throw unreadable('A booking says neither CRDT nor DBIT.');
  return indicator === 'CRDT' ? 1 : -1;
}

function readAmount(amount: Element): number {
  if (amount.attributes['Ccy'] !== 'EUR') throw unreadable('The file contains an amount that is not in euro.');
  // The standard allows five decimals; euro has two, and further zeros.
  const cents = moneyCents(amount.text.trim().replace(/(\.[0-9]{2})0{1,3}$/, '$1'));
  if (cents === undefined || cents < 0) throw unreadable(`"${amount.text.trim().slice(0, 30)}" is not an amount.`);
  return cents;
}

function readDay(entry: Element): number {
  const date = text(entry, 'BookgDt', 'Dt') || text(entry, 'BookgDt', 'DtTm').slice(0, 10);
  const day = dayNumber(date);
  if (day === undefined) throw unreadable('A booking has no date.');
  return day;
}

/** Banks write these if there is no reference. */
function readReference(part: Element, ...path: string[]): string {
  const reference = text(part, ...path);
  return reference === 'NOTPROVIDED' || reference === 'NONREF' ? '' : reference;
}

function text(part: Element, ...path: string[]): string {
  return at(part, ...path)?.text.trim() ?? '';
}

function at(part: Element, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>((parent, name) => parent && children(parent, name)[0], part);
}

function required(part: Element, name: string): Element {
  const child = children(part, name)[0];
  if (child === undefined) throw unreadable(`The element ${name} is missing.`);
  return child;
}

function children(part: Element, name: string): Element[] {
  return part.children.filter((child) => localName(child) === name);
}

function localName({ name }: Element): string {
  return name.slice(name.indexOf(':') + 1);
}

function unreadable(message: string): StatementUnreadableError {
  return new StatementUnreadableError(message);
}
