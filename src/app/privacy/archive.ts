// Writes the archive of everything about an account: a ZIP file with JSON of the tables, zone files, invoices and
// certificates. One entry after the other is written, in pages, so that a large account needs as little memory as a small one.
// Each page and document is made in a turn of its own, so that a large archive does not hold up those of other accounts.
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { moneyText } from '#lib/money.ts';
import { mapInSlices } from '#lib/slices.ts';
import { dayNumberText, hourMs, monthText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { certificatesOfService } from '#store/devices/certificates.ts';
import { serviceList, type Service } from '#store/devices/services.ts';
import { accountRows, archivedTables, type ArchivedTable, type Row } from '#store/privacy/account-rows.ts';
import { monthBounds } from '#traffic/month.ts';
import { computeStatistics } from '#traffic/statistics.ts';
import type { App, Context } from '../app.ts';
import { renderInvoice } from '../billing/invoice-documents.ts';
import { hourPriceText } from '../billing/plan-terms.ts';
import { getBillingSettings } from '../billing/settings.ts';
import { zoneFileGet } from '../dns/zonefile.ts';
import { trafficSeries } from '../network/bandwidth.ts';
import { readContext } from '../operations/context.ts';
import { certificateFile } from '../servers/certificate-file.ts';

/** Samples are kept for 401 days. */
const trafficMonths = 13;

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
type AddEntry = (name: string, chunks: Chunks) => Promise<void>;
/** Does a short piece of work when it is the account's turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Calls `write` with one piece of the archive after the other. */
export async function writeAccountArchive(
  app: App,
  account: AccountId,
  inTurn: InTurn,
  write: (piece: Buffer) => Promise<void>,
): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const stopping = new AbortController();
  zip.on('error', (error: Error) => output.destroy(error));
  const mtime = new Date(app.clock.now());
  const add: AddEntry = async (name, chunks) => {
    const source = Readable.from(chunks, { objectMode: false });
    zip.addReadStream(source, name, { mtime });
    await finished(source, { signal: stopping.signal });
  };
  const adding = addEntries(app, account, inTurn, add).then(
    () => zip.end(),
    (error: Error) => void output.destroy(error),
  );
  try {
    for await (const piece of output) await write(piece as Buffer);
  } finally {
    stopping.abort();
    await adding;
  }
}

async function addEntries(app: App, account: AccountId, inTurn: InTurn, add: AddEntry): Promise<void> {
  const { queries } = app.store;
  const context = ownerContext(app, account);
  await add('README.txt', [readme(account, app.clock.now())]);
  for (const table of archivedTables) await add(table.file, jsonList(jsonRows(app, table, account, inTurn)));
  for await (const { id } of rowsOf(app, 'invoices', account)) {
    const { name, bytes, xml } = await inTurn(() => renderInvoice(app, queries, account, Number(id)));
    const path = `invoices/${id}-${safeName(name).replace(/\.pdf$/, '')}`;
    await add(`${path}.pdf`, [bytes]);
    if (xml !== undefined) await add(`${path}.xml`, [xml]);
  }
  for (const table of ['zones', 'withdrawn_zones'] as const)
    for await (const { id, name } of rowsOf(app, table, account))
      await add(`dns/${id}-${safeName(String(name))}.zone`, [await inTurn(() => zoneFileGet(context, Number(id)))]);
  const services = await serviceList(queries, account, undefined);
  await add('traffic.json', jsonList(trafficTotals(context, services, inTurn)));
  for (const service of services) {
    const { handover, erasure } = await certificatesOfService(queries, account, service.id);
    const kinds = [
      ...(handover === undefined ? [] : ['handover' as const]),
      ...(erasure === undefined ? [] : ['erasure' as const]),
    ];
    for (const kind of kinds) {
      const { name, bytes } = await inTurn(() => certificateFile(context, service, kind));
      await add(`certificates/${safeName(name)}`, [bytes]);
    }
  }
}

/** Reads as the owner does, so that the rules about what belongs to the account apply here as well. */
function ownerContext(app: App, account: AccountId): Context {
  return readContext(
    app,
    {
      account,
      accountStatus: 'Active',
      key: 0,
      keyKind: 'session',
      contact: undefined,
      scopes: new Set(),
      address: '',
      requestId: '',
    },
    'export',
    true,
  );
}

async function* rowsOf(app: App, name: ArchivedTable['table'], account: AccountId): AsyncGenerator<Row> {
  const table = archivedTables.find((candidate) => candidate.table === name)!;
  for await (const page of accountRows(app.store.queries, table, account)) yield* page;
}

async function* jsonRows(app: App, table: ArchivedTable, account: AccountId, inTurn: InTurn): AsyncGenerator<string> {
  for await (const page of eachInTurn(accountRows(app.store.queries, table, account), inTurn))
    yield (await mapInSlices(page, (row) => JSON.stringify(readableRow(row)))).join(',\n');
}

async function* eachInTurn<Item>(items: AsyncGenerator<Item, void>, inTurn: InTurn): AsyncGenerator<Item> {
  for (;;) {
    const { value } = await inTurn(() => items.next());
    if (value === undefined) return;
    yield value;
  }
}

/** Each piece is one item or several with commas between them. */
async function* jsonList(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const piece of pieces) {
    yield `${separator}${piece}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* trafficTotals(context: Context, services: readonly Service[], inTurn: InTurn): AsyncGenerator<string> {
  const policy = await getBillingSettings(context.queries);
  const now = Math.floor(context.app.clock.now() / 1000);
  for (const service of services) {
    let month = monthBounds(now);
    for (let count = 0; count < trafficMonths && month.end * 1000 > service.created_at; count++) {
      const span = { start: month.start, end: Math.min(month.end, now) };
      const series = await inTurn(() => trafficSeries(context, service, span));
      const { inBytes, outBytes, percentile } = computeStatistics(series, policy);
      if (inBytes + outBytes > 0)
        yield JSON.stringify({
          service: service.id,
          month: monthText(month.start * 1000),
          bytesReceived: inBytes,
          bytesSent: outBytes,
          percentile95BitsPerSecond: percentile.bitsPerSecond,
        });
      month = monthBounds(month.start - 1);
    }
  }
}

const timeColumn = /(?:_at|_until|_from)$|(?:^|_)since$|^at$/;
const dayColumn = /(?:^|_)day$|^billed_until$/;
/** Columns whose numbers their name does not explain. */
const readers: Readonly<Record<string, (value: number) => unknown>> = {
  /** A day of the month. */
  bill_day: (day) => day,
  hour_price: hourPriceText,
  month: (seconds) => monthText(seconds * 1000),
  /** Months since year 0; 0 if nothing was counted. */
  traffic_month: (months) => (months === 0 ? null : monthText(Date.UTC(2000, months - 12 * 2000))),
};

/** Returns times, days, months, money and lists as a person reads them. */
export function readableRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, readableValue(column, value)]));
}

function readableValue(column: string, value: unknown): unknown {
  if (typeof value === 'number') {
    if (Object.hasOwn(readers, column)) return readers[column]!(value);
    if (dayColumn.test(column)) return dayNumberText(value);
    if (column.endsWith('_hour')) return new Date(value * hourMs).toISOString();
    if (timeColumn.test(column)) return new Date(value).toISOString();
    return column.endsWith('_cents') ? moneyText(value) : value;
  }
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Without anything that a system could take for a folder or a device. */
function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]/gu, '-').slice(0, 100);
}

function readme(account: AccountId, now: number): string {
  const width = Math.max(...archivedTables.map(({ file }) => file.length)) + 2;
  const line = (name: string, contents: string): string => `${name.padEnd(width)}${contents}`;
  return [
    `Everything about account ${account}, ${new Date(now).toISOString()}`,
    '',
    'Times are in UTC. Passwords, secrets of keys and other credentials are left out.',
    '',
    ...archivedTables.map(({ file, contents }) => line(file, contents)),
    line('traffic.json', 'Traffic of services, by month'),
    line('invoices/', 'Invoices and credit notes as PDF, and as XML if your country requires e-invoices'),
    line('dns/*.zone', 'Zones with their records, as zone files'),
    line('certificates/', 'Certificates of the erasure of servers, as PDF'),
    '',
  ].join('\r\n');
}
