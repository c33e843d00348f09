// The work of the SEPA reconciler: matches entries of statements, announces charges, ends mandates, and writes files.
import { findBillingPause } from '../../billing/pause.ts';
import type { App } from '../../app.ts';
import { failRejectedOrders, writeDueFiles } from './files.ts';
import { expireMandates } from './mandates.ts';
import { matchEntries } from './matching.ts';
import { createOrders } from './orders.ts';
import { findSepaSettings } from './settings.ts';

export async function performSepaWork(app: App, signal: AbortSignal): Promise<void> {
  const settings = await findSepaSettings(app, app.store.queries);
  if (settings === undefined) return;
  await matchEntries(app, signal);
  await failRejectedOrders(app, signal);
  // With a wrong date, mandates would expire and money would be collected too early.
  if ((await findBillingPause(app)) !== undefined) return;
  await expireMandates(app, signal);
  await createOrders(app, settings, signal);
  await writeDueFiles(app, settings, signal);
}
