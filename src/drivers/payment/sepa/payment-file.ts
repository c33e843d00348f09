// Writes the files with which a bank is asked to move money: direct debits as pain.008.001.08 and transfers as
// pain.001.001.09, both as the EPC's guidelines restrict them. The same input always gives the same bytes.
import { moneyText } from '#lib/money.ts';
import { dayNumberText } from '#lib/time.ts';
import { element, type Element } from '#lib/xml-elements.ts';
import { toSepaText } from './characters.ts';

export type Scheme = 'CORE' | 'B2B';
/** First, recurrent, one-off and final collection of a mandate. */
export type Sequence = 'FRST' | 'RCUR' | 'OOFF' | 'FNAL';

/** Our own account, which collects or pays. */
export interface Creditor {
  readonly name: string;
  /** The creditor identifier. */
  readonly id: string;
  readonly iban: string;
  /** Empty if the bank does not ask for it. */
  readonly bic: string;
}

export interface FileHead {
  readonly messageId: string;
  readonly createdAt: number;
  readonly creditor: Creditor;
}

export interface Debit {
  readonly endToEndId: string;
  readonly cents: number;
  readonly sequence: Sequence;
  /** The day on which the money is due. */
  readonly day: number;
  readonly mandate: {
    readonly reference: string;
    readonly signedDay: number;
    readonly name: string;
    readonly iban: string;
    readonly scheme: Scheme;
  };
  readonly text: string;
}

export interface Transfer {
  readonly endToEndId: string;
  readonly cents: number;
  readonly name: string;
  readonly iban: string;
  readonly text: string;
}

const textLength = 140;
const nameLength = 70;

export function writeDebitFile(head: FileHead, debits: readonly Debit[]): string {
  const blocks = Map.groupBy(debits, ({ mandate, sequence, day }) => `${mandate.scheme} ${sequence} ${day}`);
  return writeDocument('pain.008.001.08', 'CstmrDrctDbtInitn', [
    writeHeader(head, debits),
    ...Array.from([...blocks.keys()].toSorted(), (key) => writeDebitBlock(head, blocks.get(key)!)),
  ]);
}

/** The identifier of the part of a file in which a debit is. Statements of batch bookings name it. */
export function debitBlockId(
  messageId: string,
  { scheme, sequence, day }: { readonly scheme: Scheme; readonly sequence: Sequence; readonly day: number },
): string {
  return `${messageId}-${scheme}${sequence}-${day}`;
}

function writeDebitBlock({ messageId, creditor }: FileHead, debits: readonly Debit[]): Element {
  const { mandate, sequence, day } = debits[0]!;
  const schemeName = element('SchmeNm', [element('Prtry', 'SEPA')]);
  const creditorId = element('Othr', [element('Id', creditor.id), schemeName]);
  return element('PmtInf', [
    element('PmtInfId', debitBlockId(messageId, { scheme: mandate.scheme, sequence, day })),
    element('PmtMtd', 'DD'),
    ...writeTotals(debits),
    element('PmtTpInf', [
      element('SvcLvl', [element('Cd', 'SEPA')]),
      element('LclInstrm', [element('Cd', mandate.scheme)]),
      element('SeqTp', sequence),
    ]),
    element('ReqdColltnDt', dayNumberText(day)),
    writeParty('Cdtr', creditor.name),
    writeAccount('CdtrAcct', creditor.iban),
    writeAgent('CdtrAgt', creditor.bic),
    element('ChrgBr', 'SLEV'),
    element('CdtrSchmeId', [element('Id', [element('PrvtId', [creditorId])])]),
    ...debits.map(writeDebit),
  ]);
}

function writeDebit({ endToEndId, cents, mandate, text }: Debit): Element {
  return element('DrctDbtTxInf', [
    element('PmtId', [element('EndToEndId', endToEndId)]),
    writeAmount(cents),
    element('DrctDbtTx', [element('MndtRltdInf', writeMandate(mandate))]),
    writeAgent('DbtrAgt', ''),
    writeParty('Dbtr', mandate.name),
    writeAccount('DbtrAcct', mandate.iban),
    writeRemittance(text),
  ]);
}

/** Mandates are never amended: another account needs another mandate. */
function writeMandate({ reference, signedDay }: Debit['mandate']): Element[] {
  return [element('MndtId', reference), element('DtOfSgntr', dayNumberText(signedDay)), element('AmdmntInd', 'false')];
}

export function writeTransferFile(head: FileHead, day: number, transfers: readonly Transfer[]): string {
  const { creditor, messageId } = head;
  return writeDocument('pain.001.001.09', 'CstmrCdtTrfInitn', [
    writeHeader(head, transfers),
    element('PmtInf', [
      element('PmtInfId', messageId),
      element('PmtMtd', 'TRF'),
      ...writeTotals(transfers),
      element('PmtTpInf', [element('SvcLvl', [element('Cd', 'SEPA')])]),
      element('ReqdExctnDt', [element('Dt', dayNumberText(day))]),
      writeParty('Dbtr', creditor.name),
      writeAccount('DbtrAcct', creditor.iban),
      writeAgent('DbtrAgt', creditor.bic),
      element('ChrgBr', 'SLEV'),
      ...transfers.map(writeTransfer),
    ]),
  ]);
}

function writeTransfer({ endToEndId, cents, name, iban, text }: Transfer): Element {
  return element('CdtTrfTxInf', [
    element('PmtId', [element('EndToEndId', endToEndId)]),
    element('Amt', [writeAmount(cents)]),
    writeParty('Cdtr', name),
    writeAccount('CdtrAcct', iban),
    writeRemittance(text),
  ]);
}

function writeDocument(schema: string, name: string, content: readonly Element[]): string {
  const document = element('Document', [element(name, content)], { xmlns: `urn:iso:std:iso:20022:tech:xsd:${schema}` });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
}

function writeHeader(
  { messageId, createdAt, creditor }: FileHead,
  payments: readonly { readonly cents: number }[],
): Element {
  return element('GrpHdr', [
    element('MsgId', messageId),
    element('CreDtTm', new Date(createdAt).toISOString().slice(0, 19)),
    ...writeTotals(payments),
    writeParty('InitgPty', creditor.name),
  ]);
}

function writeTotals(payments: readonly { readonly cents: number }[]): Element[] {
  const total = payments.reduce((sum, { cents }) => sum + cents, 0);
  return [element('NbOfTxs', payments.length), element('CtrlSum', moneyText(total))];
}

function writeAmount(cents: number): Element {
  return element('InstdAmt', moneyText(cents), { Ccy: 'EUR' });
}

/** Banks reject an empty name, which is what remains of one without any letter that SEPA knows. */
function writeParty(tag: string, name: string): Element {
  return element(tag, [element('Nm', toSepaText(name, nameLength) || '.')]);
}

function writeAccount(tag: string, iban: string): Element {
  return element(tag, [element('Id', [element('IBAN', iban)])]);
}

/** The bank follows from the IBAN, but its element is mandatory in a direct debit. */
function writeAgent(tag: string, bic: string): Element {
  const id = bic === '' ? element('Othr', [element('Id', 'NOTPROVIDED')]) : element('BICFI', bic);
  return element(tag, [element('FinInstnId', [id])]);
}

function writeRemittance(text: string): Element {
  return element('RmtInf', [element('Ustrd', toSepaText(text, textLength) || '.')]);
}
