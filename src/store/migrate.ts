// Forward migrations, run at every start. The lock is the database's own: if two processes start at once, one waits and
// then finds the work done. (Kysely's migrator uses neither a lock nor a transaction on SQLite.)
import { sql } from 'kysely';
import { foundation } from './migrations/0001-foundation.ts';
import { jobs } from './migrations/0002-jobs.ts';
import { events } from './migrations/0003-events.ts';
import { workflows } from './migrations/0004-workflows.ts';
import { siteKeys } from './migrations/0005-site-keys.ts';
import { servers } from './migrations/0006-servers.ts';
import { dns } from './migrations/0007-dns.ts';
import { network } from './migrations/0008-network.ts';
import { addresses } from './migrations/0009-addresses.ts';
import { attacks } from './migrations/0013-attacks.ts';
import { machines } from './migrations/0010-machines.ts';
import { images } from './migrations/0011-images.ts';
import { reloads } from './migrations/0012-reloads.ts';
import { ledger } from './migrations/0014-ledger.ts';
import { licences } from './migrations/0015-licences.ts';
import { operators } from './migrations/0016-operators.ts';
import { plans } from './migrations/0017-plans.ts';
import { racks } from './migrations/0018-racks.ts';
import { serverFirmware } from './migrations/0019-server-firmware.ts';
import { requestDecisions } from './migrations/0020-request-decisions.ts';
import { secondFactors } from './migrations/0021-second-factors.ts';
import { reclaims } from './migrations/0022-reclaims.ts';
import { machineNetworks } from './migrations/0023-machine-networks.ts';
import { signInNetworks } from './migrations/0025-sign-in-networks.ts';
import { impersonations } from './migrations/0028-impersonations.ts';
import { consoleSessions } from './migrations/0029-console-sessions.ts';
import { machineSamples } from './migrations/0032-machine-samples.ts';
import { imageUploads } from './migrations/0033-image-uploads.ts';
import { lastLogins } from './migrations/0034-last-logins.ts';
import { backgroundWork } from './migrations/0036-background-work.ts';
import { serverAliases } from './migrations/0037-server-aliases.ts';
import { machineAddresses } from './migrations/0038-machine-addresses.ts';
import { largeSites } from './migrations/0040-large-sites.ts';
import { sampleBlocks } from './migrations/0047-sample-blocks.ts';
import { aliases } from './migrations/0042-aliases.ts';
import { tsigKeys } from './migrations/0044-tsig-keys.ts';
import { zoneKeys } from './migrations/0045-zone-keys.ts';
import { keyDnsLimits } from './migrations/0046-key-dns-limits.ts';
import { zoneChanges } from './migrations/0041-zone-changes.ts';
import { portKeys } from './migrations/0048-port-keys.ts';
import { powerStrips } from './migrations/0049-power-strips.ts';
import { sensors } from './migrations/0050-sensors.ts';
import { pollers } from './migrations/0051-pollers.ts';
import { lists } from './migrations/0053-lists.ts';
import { zoneClaims } from './migrations/0024-zone-claims.ts';
import { portHoldings } from './migrations/0027-port-holdings.ts';
import { addressDelivery } from './migrations/0030-address-delivery.ts';
import { licenceLabels } from './migrations/0055-licence-labels.ts';
import { mail } from './migrations/0056-mail.ts';
import { people } from './migrations/0057-people.ts';
import { signOn } from './migrations/0058-sign-on.ts';
import { privacy } from './migrations/0059-privacy.ts';
import { stockNumbers } from './migrations/0060-stock-numbers.ts';
import { zoneAuthors } from './migrations/0063-zone-authors.ts';
import { staff } from './migrations/0061-staff.ts';
import { peopleAndLabels } from './migrations/0062-people-and-labels.ts';
import { serviceLimits } from './migrations/0064-service-limits.ts';
import { signUp } from './migrations/0065-sign-up.ts';
import { staffAndNotices } from './migrations/0066-staff-and-notices.ts';
import { equipmentReports } from './migrations/0067-equipment-reports.ts';
import { tax } from './migrations/0068-tax.ts';
import { wantedSerialLines } from './migrations/0069-wanted-serial-lines.ts';
import { payments } from './migrations/0070-payments.ts';
import { sepa } from './migrations/0071-sepa.ts';
import { plansAndUsage } from './migrations/0072-plans-and-usage.ts';
import { receivables } from './migrations/0073-receivables.ts';
import { invoiceDelivery } from './migrations/0074-invoice-delivery.ts';
import { recordSearch } from './migrations/0075-record-search.ts';
import { machineBackups } from './migrations/0079-machine-backups.ts';
import { volumes } from './migrations/0078-volumes.ts';
import { machineOrders } from './migrations/0076-machine-orders.ts';
import { machineSnapshots } from './migrations/0077-machine-snapshots.ts';
import { machineMigrations } from './migrations/0080-machine-migrations.ts';
import { platformsAndAdoption } from './migrations/0081-platforms-and-adoption.ts';
import { endedServices } from './migrations/0082-ended-services.ts';
import { priceNotices } from './migrations/0083-price-notices.ts';
import { bankProblems } from './migrations/0084-bank-problems.ts';
import { backupDisks } from './migrations/0086-backup-disks.ts';
import { webhookPeople } from './migrations/0088-webhook-people.ts';
import { idleFleet } from './migrations/0089-idle-fleet.ts';
import { growingVolumes } from './migrations/0090-growing-volumes.ts';
import type { ColumnTypes, Migration } from './migrations/migration.ts';
import { lockTables, type ReportWait } from './engine/table-locks.ts';
import type { Engine, Queries } from './store.ts';

export const migrations: readonly Migration[] = [
  foundation,
  jobs,
  events,
  workflows,
  siteKeys,
  servers,
  dns,
  network,
  addresses,
  machines,
  images,
  reloads,
  attacks,
  ledger,
  licences,
  operators,
  plans,
  racks,
  serverFirmware,
  requestDecisions,
  secondFactors,
  reclaims,
  machineNetworks,
  signInNetworks,
  zoneClaims,
  portHoldings,
  impersonations,
  consoleSessions,
  imageUploads,
  lastLogins,
  addressDelivery,
  machineSamples,
  backgroundWork,
  serverAliases,
  machineAddresses,
  largeSites,
  aliases,
  tsigKeys,
  zoneKeys,
  keyDnsLimits,
  zoneChanges,
  sampleBlocks,
  portKeys,
  powerStrips,
  sensors,
  pollers,
  lists,
  licenceLabels,
  mail,
  people,
  signOn,
  privacy,
  stockNumbers,
  staff,
  zoneAuthors,
  peopleAndLabels,
  serviceLimits,
  signUp,
  staffAndNotices,
  equipmentReports,
  tax,
  wantedSerialLines,
  payments,
  sepa,
  plansAndUsage,
  receivables,
  invoiceDelivery,
  recordSearch,
  machineOrders,
  volumes,
  machineSnapshots,
  machineBackups,
  machineMigrations,
  platformsAndAdoption,
  endedServices,
  priceNotices,
  bankProblems,
  backupDisks,
  webhookPeople,
  idleFleet,
  growingVolumes,
];
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);
const advisoryLock = 7_203_381_001;

export const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: { id: 'integer primary key autoincrement', integer: 'integer', bytes: 'blob', sortable: 'text' },
  postgres: {
    id: 'bigint generated by default as identity primary key',
    integer: 'bigint',
    bytes: 'bytea',
    sortable: 'text collate "C"',
  },
};

/** Runs all migrations or none. */
export async function migrate(
  queries: Queries,
  engine: Engine,
  wanted = migrations,
  reportWait?: ReportWait,
): Promise<void> {
  await queries.transaction().execute((transaction) => migrateIn(transaction, engine, wanted, reportWait));
}

/** Runs them in the caller's transaction. */
export async function migrateIn(
  transaction: Queries,
  engine: Engine,
  wanted = migrations,
  reportWait: ReportWait = () => {},
): Promise<void> {
  if (engine === 'postgres') await lockMigrations(transaction);
  await sql`create table if not exists migrations (name text primary key not null)`.execute(transaction);
  const done = await sql<{ name: string }>`select name from migrations`.execute(transaction);
  const doneNames = new Set(done.rows.map((row) => row.name));
  const known = new Set(wanted.map((migration) => migration.name));
  const newer = [...doneNames].filter((name) => !known.has(name));
  if (newer.length > 0) {
    const fix = 'start that version, or restore a backup of this one';
    throw new Error(`the database was migrated by a newer Hostyard (it has ${newer.join(', ')}): ${fix}`);
  }
  const pending = wanted
    .filter(({ name }) => !doneNames.has(name))
    .map(({ name, statements }) => ({ name, statements: statements(columnTypes[engine], engine) }));
  if (engine === 'postgres')
    await lockTables(
      transaction,
      pending.flatMap(({ statements }) => statements),
      reportWait,
    );
  for (const { name, statements } of pending)
    try {
      for (const statement of statements) await sql.raw(statement).execute(transaction);
      await sql`insert into migrations (name) values (${name})`.execute(transaction);
    } catch (error) {
      const reason = `${(error as Error).message}. The previous version still starts on it`;
      throw new Error(`migration ${name} failed, and the database is unchanged: ${reason}`, { cause: error });
    }
}

/** Keeps other processes from opening the database until the transaction ends: opening it migrates it. */
export async function lockMigrations(transaction: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
}
