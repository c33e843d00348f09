// What should page an operator before customers notice: database, disk space, clock, age of the last backup, equipment
// that does not respond, switch ports that cannot be identified, servers in quarantine, contested boot orders, and mail
// that is not sent.
import type { Registry } from 'prom-client';
import { serverStateNames } from '#contract/states/servers.ts';
import { createDatabaseCheck } from '#app/health/database.ts';
import {
  getContestedBootCount,
  getEquipment,
  getEquipmentCounts,
  getLastBackupTime,
  getMailBacklog,
  getWaitingSignUps,
  getPortProblemCounts,
  getServerStateCounts,
} from '#app/health/installation.ts';
import { currenciesWithoutRate } from '#app/billing/currency/exchange.ts';
import { deliveryFailingSeconds } from '#app/billing/delivery/lists.ts';
import { findBillingPause } from '#app/billing/pause.ts';
import { findSiteProblem } from '#app/site/file-problem.ts';
import type { App } from '#app/app.ts';
import { addDatabaseGauge } from './database-gauge.ts';
import { addBackupGauges } from './backup-gauges.ts';
import { addSensorGauges } from './sensor-gauges.ts';

export function addStateGauges(registry: Registry, app: App): void {
  const addGauge = (name: string, help: string, query: () => Promise<number>): void =>
    addDatabaseGauge(registry, app, { name, help, query, set: (gauge, value) => gauge.set(value) });
  const isDatabaseAvailable = createDatabaseCheck(app);
  addGauge('hostyard_database_up', '1 if the database responds', async () => Number(await isDatabaseAvailable()));
  addGauge(
    'hostyard_disk_free_bytes',
    'Free space on the disk of the data folder',
    async () => (await app.backups.diskSpace()).free,
  );
  addGauge(
    'hostyard_disk_size_bytes',
    'Size of the disk of the data folder',
    async () => (await app.backups.diskSpace()).size,
  );
  addGauge(
    'hostyard_clock_ahead_seconds',
    "How far the clock of this machine is ahead of the cluster's clock",
    async () => (Date.now() - app.clock.now()) / 1000,
  );
  addGauge(
    'hostyard_last_backup_seconds',
    'Time of the last backup in seconds since 1970; 0 if none',
    async () => (await getLastBackupTime(app)) / 1000,
  );
  addBackupGauges(registry, app);
  addDatabaseGauge(registry, app, {
    name: 'hostyard_equipment',
    help: 'BMCs, switches and hypervisors by their last known state',
    labelNames: ['kind', 'state'],
    query: () => getEquipmentCounts(app),
    set(gauge, rows) {
      for (const { kind, ...states } of rows)
        for (const [state, count] of Object.entries(states)) gauge.set({ kind, state }, count);
    },
  });
  addDatabaseGauge(registry, app, {
    name: 'hostyard_equipment_up',
    help: '1 if this hypervisor, switch, router or name server responded when it was last checked',
    labelNames: ['kind', 'name'],
    query: () => getEquipment(app),
    set(gauge, equipment) {
      for (const { kind, name, isUp } of equipment) gauge.set({ kind, name }, Number(isUp));
    },
  });
  addDatabaseGauge(registry, app, {
    name: 'hostyard_servers',
    help: 'Servers by their state between customers; those in quarantine need attention',
    labelNames: ['state'],
    query: () => getServerStateCounts(app),
    set(gauge, counts) {
      for (const state of serverStateNames) gauge.set({ state }, counts.get(state) ?? 0);
    },
  });
  addDatabaseGauge(registry, app, {
    name: 'hostyard_port_problems',
    help: 'Switch ports of customers that cannot be identified, or whose cable leads to another server',
    labelNames: ['problem'],
    query: () => getPortProblemCounts(app),
    set(gauge, counts) {
      for (const [problem, count] of Object.entries(counts)) gauge.set({ problem }, count);
    },
  });
  addDatabaseGauge(registry, app, {
    name: 'hostyard_mails',
    help: 'Messages waiting to be sent or summarized',
    labelNames: ['status'],
    query: () => getMailBacklog(app),
    set(gauge, { queued, held }) {
      gauge.set({ status: 'Queued' }, queued);
      gauge.set({ status: 'Held' }, held);
    },
  });
  addGauge('hostyard_mail_oldest_seconds', 'Age of the oldest message waiting to be sent', async () => {
    const { oldestAt } = await getMailBacklog(app);
    return oldestAt === null ? 0 : (app.clock.now() - oldestAt) / 1000;
  });
  addDatabaseGauge(registry, app, {
    name: 'hostyard_mail_relay_up',
    help: '1 if this process could use the mail relay at its last attempt',
    labelNames: ['relay'],
    query: async () => app.mailer.relayStates(),
    set(gauge, relays) {
      for (const { relay, isUp } of relays) gauge.set({ relay }, Number(isUp));
    },
  });
  addGauge('hostyard_sign_ups_waiting', 'People waiting for approval of their account', () => getWaitingSignUps(app));
  addSensorGauges(registry, app);
  addGauge('hostyard_billing_paused', '1 while billing is paused until an operator confirms the date', async () =>
    Number((await findBillingPause(app)) !== undefined),
  );
  addGauge(
    'hostyard_exchange_rates_missing',
    'Currencies of customers without a recent exchange rate, in which no invoice with tax is issued',
    async () => (await currenciesWithoutRate(app)).length,
  );
  addGauge(
    'hostyard_invoice_delivery_failing_seconds',
    'How long the oldest e-invoice has been waiting for the access point',
    () => deliveryFailingSeconds(app),
  );
  addGauge('hostyard_site_file_rejected', '1 if the site file could not be applied at the last start', async () =>
    Number((await findSiteProblem(app.store.queries)) !== undefined),
  );
  addGauge('hostyard_contested_boots', 'Network boots that another machine requested in the last hour', () =>
    getContestedBootCount(app),
  );
}
