// Writes bank statements as banks do, in both versions that Hostyard reads.
import { moneyText } from '#lib/money.ts';
import { dayNumberText } from '#lib/time.ts';
import { escapeXml } from '#lib/xml.ts';

export interface BankBooking {
  readonly cents: number;
  readonly day?: number;
  readonly reference?: string;
  readonly endToEndId?: string;
  readonly text?: string;
  readonly name?: string;
  readonly iban?: string;
  readonly returnCode?: string;
  /** For a batch booking without details: the part of the file that it is about. */
  readonly batchId?: string;
  readonly state?: 'BOOK' | 'PDNG';
}

export interface BankStatement {
  readonly version?: '02' | '08';
  readonly kind?: 'camt.053' | 'camt.054';
  readonly id?: string;
  readonly iban?: string;
  readonly openingCents?: number;
  /** Bookings; a list is one batch booking with several details. */
  readonly bookings: readonly (BankBooking | readonly BankBooking[])[];
}

export const bankIban = 'NL91ABNA0417164300';
const bookingDay = 20_774;

export function writeBankStatement(...statements: readonly BankStatement[]): string {
  const { version = '08', kind = 'camt.053' } = statements[0]!;
  const [body, part] = kind === 'camt.053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'];
  const parts = statements.map((statement) => `<${part}>${writeStatement(statement)}</${part}>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${kind}.001.${version}"><${body}>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-17T20:00:00</CreDtTm></GrpHdr>
${parts}
</${body}></Document>`;
}

function writeStatement({
  version = '08',
  kind = 'camt.053',
  id = 'S1',
  iban = bankIban,
  openingCents = 0,
  bookings,
}: BankStatement) {
  const booked = bookings.flat().filter(({ state = 'BOOK' }) => state === 'BOOK');
  const closing = booked.reduce((sum, { cents }) => sum + cents, openingCents);
  const balances = kind === 'camt.053' ? balance('OPBD', openingCents) + balance('CLBD', closing) : '';
  const entries = bookings.map((booking) => writeEntry([booking].flat(), version));
  return `<Id>${id}</Id><CreDtTm>2026-11-17T20:00:00</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${balances}${entries.join('\n')}`;
}

function balance(code: string, cents: number): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}${direction(cents)}<Dt><Dt>2026-11-17</Dt></Dt></Bal>`;
}

function writeEntry(parts: readonly BankBooking[], version: string): string {
  const { day = bookingDay, reference, batchId, state = 'BOOK' } = parts[0]!;
  const cents = parts.reduce((sum, part) => sum + part.cents, 0);
  const details =
    batchId === undefined
      ? parts.map((part) => writeDetail(part, version, parts.length > 1)).join('')
      : `<Btch><PmtInfId>${batchId}</PmtInfId></Btch>`;
  return `<Ntry>${amount(cents)}${direction(cents)}<Sts>${version === '02' ? state : `<Cd>${state}</Cd>`}</Sts>
<BookgDt><Dt>${dayNumberText(day)}</Dt></BookgDt><ValDt><Dt>${dayNumberText(day)}</Dt></ValDt>${tag('AcctSvcrRef', reference)}
<BkTxCd><Prtry><Cd>NDDT</Cd></Prtry></BkTxCd><NtryDtls>${details}</NtryDtls></Ntry>`;
}

function writeDetail(
  { cents, endToEndId, text, name, iban, returnCode }: BankBooking,
  version: string,
  isBatch: boolean,
) {
  const role = cents > 0 === (returnCode === undefined) ? 'Dbtr' : 'Cdtr';
  const party = version === '02' ? tag('Nm', name) : `<Pty>${tag('Nm', name)}</Pty>`;
  const own =
    version === '02' ? `<AmtDtls><TxAmt>${amount(cents)}</TxAmt></AmtDtls>` : `${amount(cents)}${direction(cents)}`;
  const account = iban === undefined ? '' : `<${role}Acct><Id><IBAN>${iban}</IBAN></Id></${role}Acct>`;
  const returned = returnCode === undefined ? '' : `<RtrInf><Rsn><Cd>${returnCode}</Cd></Rsn></RtrInf>`;
  return `<TxDtls><Refs>${tag('EndToEndId', endToEndId ?? 'NOTPROVIDED')}</Refs>${isBatch ? own : ''}
<RltdPties><${role}>${party}</${role}>${account}</RltdPties><RmtInf>${tag('Ustrd', text)}</RmtInf>${returned}</TxDtls>`;
}

function amount(cents: number): string {
  return `<Amt Ccy="EUR">${moneyText(Math.abs(cents))}</Amt>`;
}

function direction(cents: number): string {
  return `<CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}

function tag(name: string, content: string | undefined): string {
  return content === undefined ? '' : `<${name}>${escapeXml(content)}</${name}>`;
}
