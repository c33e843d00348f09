// All reconcilers of the server.
import type { App } from '#app/app.ts';
import { readExchangeRates } from '#app/billing/currency/rates.ts';
import { createDeliveryWork } from '#app/billing/delivery/hand-over.ts';
import { sendNotices } from '#app/billing/notices.ts';
import { findBillingPause } from '#app/billing/pause.ts';
import { startDueRuns } from '#app/billing/run.ts';
import { createVatWork } from '#app/billing/tax/validation.ts';
import { createAliasWork } from '#app/dns/aliases.ts';
import { desiredZone } from '#app/dns/desired-zone.ts';
import { refreshSignatures } from '#app/dns/dnssec-zones.ts';
import { sweepBackups } from '#app/machines/backup-sweep.ts';
import { continueDeletions } from '#app/machines/deletion-work.ts';
import { continueEvacuations } from '#app/machines/evacuation.ts';
import { settingsAfter } from '#app/machines/network-settings.ts';
import { giveBandwidthNotices } from '#app/network/bandwidth-notices.ts';
import { collectDueInvoices } from '#app/payments/collection.ts';
import { performSepaWork } from '#app/payments/sepa/work.ts';
import { listPaymentTasks } from '#app/payments/work.ts';
import { endCancelledServices } from '#app/pricing/ended-services.ts';
import { announcePriceChanges } from '#app/pricing/price-announcements.ts';
import { applyPriceChanges } from '#app/pricing/price-changes.ts';
import { eraseDueAccounts } from '#app/privacy/erase.ts';
import { canCustomersSeeSensors } from '#app/servers/sensors.ts';
import { ensureMachine } from '#app/site/machines.ts';
import { aliasPoll } from '#reconcilers/alias-poll.ts';
import { bandwidthNotices } from '#reconcilers/bandwidth-notices.ts';
import { billingSweep } from '#reconcilers/billing-sweep.ts';
import { bmcAccess } from '#reconcilers/bmc-access.ts';
import { cancelledServices } from '#reconcilers/cancelled-services.ts';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { dnsSweep } from '#reconcilers/dns-sweep.ts';
import { erasureSweep } from '#reconcilers/erasure-sweep.ts';
import { exchangeRates } from '#reconcilers/exchange-rates.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { invoiceDelivery } from '#reconcilers/invoice-delivery.ts';
import { machineAddresses } from '#reconcilers/machine-addresses.ts';
import { machineBackups } from '#reconcilers/machine-backups.ts';
import { machineDeletions } from '#reconcilers/machine-deletions.ts';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { nodeEvacuation } from '#reconcilers/node-evacuation.ts';
import { paymentReconcilers } from '#reconcilers/payments.ts';
import { powerSync } from '#reconcilers/power-sync.ts';
import type { Reconciler } from '#reconcilers/reconciler.ts';
import { sampleMerge } from '#reconcilers/sample-merge.ts';
import { sensorsPoll } from '#reconcilers/sensors-poll.ts';
import { sepaSweep } from '#reconcilers/sepa.ts';
import { signatureRefresh } from '#reconcilers/signature-refresh.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { vatNumbers } from '#reconcilers/vat-numbers.ts';
import { volumeTidy } from '#reconcilers/volume-tidy.ts';
import { workflowSweep } from '#reconcilers/workflow-sweep.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import { networkReconcilers } from './network-reconcilers.ts';

export function reconcilers(app: App): Reconciler[] {
  const isPaused = async (): Promise<boolean> => (await findBillingPause(app)) !== undefined;
  return [
    housekeeping(app.store, app.clock),
    erasureSweep(app.store, app.clock, (signal) => eraseDueAccounts(app, signal)),
    bandwidthNotices(app.store, app.clock, (signal) => giveBandwidthNotices(app, signal)),
    workflowSweep(app, workflowJob),
    powerSync(app),
    sensorsPoll({ ...app, canCustomersSee: () => canCustomersSeeSensors(app, app.store.queries) }),
    billingSweep({
      isPaused,
      announcePriceChanges: (signal) => announcePriceChanges(app, signal),
      applyPriceChanges: (signal) => applyPriceChanges(app, signal),
      startDueRuns: (signal) => startDueRuns(app, { operation: 'billing', signal }),
      giveNotices: (signal) => sendNotices(app, signal),
    }),
    cancelledServices({
      isPaused,
      endServices: (signal) => endCancelledServices(app, signal),
    }),
    machineSync(app, async (queries, service) => void (await ensureMachine(app, queries, service))),
    machineSampling(app),
    machineTidy(app),
    nodeEvacuation((signal) => continueEvacuations(app, signal)),
    machineBackups((signal) => sweepBackups(app, signal)),
    volumeTidy(app),
    machineDeletions((signal) => continueDeletions(app, signal)),
    machineAddresses(app, (service) => settingsAfter(app.store.queries, service)),
    consoleUsers(app),
    bmcAccess(app),
    trafficPoll(app),
    sampleMerge(app),
    aliasPoll(app, createAliasWork(app)),
    vatNumbers(app, createVatWork(app)),
    ...paymentReconcilers(app, {
      listDue: (limit) => listPaymentTasks(app, limit),
      isPaused,
      collect: (signal) => collectDueInvoices(app, signal),
    }),
    sepaSweep((signal) => performSepaWork(app, signal)),
    invoiceDelivery(app, createDeliveryWork(app)),
    exchangeRates((signal) => readExchangeRates(app, signal)),
    ...dnsSweeps(app),
    signatureRefresh({ ...app, refreshZone: (zone) => refreshSignatures(app, zone) }),
    ...networkReconcilers(app),
  ];
}

/** Only an external name server can differ from the database. */
function dnsSweeps(app: App): Reconciler[] {
  const { external } = app.nameService;
  return external === undefined ? [] : [dnsSweep({ ...app, driver: external.driver, desiredZone })];
}
