// The boot server's view of network boots: what a booting server gets, and what its installer reports. A server gets something
// only while its workflow has opened its order.
import { statusText } from '#contract/states/reload-status.ts';
import type { ReloadKind } from '#contract/states/reloads.ts';
import { appendEvent } from '#events/append.ts';
import { macText } from '#lib/addresses.ts';
import {
  reloadLoad,
  reloadLogAppend,
  reloadMove,
  reloadUpdate,
  reloadOfMachine,
  reloadOfSecret,
  type Reload,
  reloadSystem,
  reloadSshKeys,
} from '#store/devices/reloads.ts';
import { serviceFind } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { installServer } from './install-input.ts';
import type { InstallInput, System } from './install/input.ts';
import { bootSecret, bootSecretHash } from './network-boots.ts';
import type { App } from '../app.ts';

export interface BootOrder {
  readonly kind: ReloadKind;
  /** Identifies this order in its links. */
  readonly secret: string;
  readonly system: System;
  readonly install: InstallInput;
}

export interface BootReport {
  readonly phase: 'Booting' | 'Installing' | 'Completed' | 'Failed';
  readonly percent?: number;
  readonly message?: string;
}

const longestMessage = 200;
/** Emits an event per ten percent; the log has every report. */
const percentPerEvent = 10;

/** Finds the order of a server that requests its boot script, and records the request. */
export async function bootOrderFor(
  app: App,
  server: { readonly mac?: string; readonly uuid?: string },
): Promise<BootOrder | undefined> {
  const mac = macText(server.mac ?? '');
  const { queries } = app.store;
  const reload =
    (mac === '' ? undefined : await reloadOfMachine(queries, { mac })) ??
    (server.uuid === undefined ? undefined : await reloadOfMachine(queries, { uuid: server.uuid.toLowerCase() }));
  if (reload === undefined) return undefined;
  await app.store.transaction((inside) => recordRequest(app, inside, reload.id, mac));
  return orderOf(app, { ...reload, mac: mac === '' ? reload.mac : mac });
}

/** Finds the order of a link's secret. */
export async function bootOrderOf(app: App, secret: string): Promise<BootOrder | undefined> {
  const reload = await reloadOfSecret(app.store.queries, bootSecretHash(secret));
  return reload === undefined ? undefined : orderOf(app, reload);
}

/** Records that the file with the password's hash was served. The hash is deleted with the next report: until then the
 * installer may have to fetch the file again. */
export async function bootPasswordFetched(app: App, secret: string): Promise<void> {
  await app.store.transaction(async (queries) => {
    const reload = await reloadOfSecret(queries, bootSecretHash(secret));
    if (reload?.password_fetched !== 0) return;
    await reloadUpdate(queries, reload.id, { password_fetched: 1 });
    await reloadLogAppend(queries, {
      reload_id: reload.id,
      at: app.clock.now(),
      status: statusText(reload),
      text: 'The server fetched the settings of its new system.',
    });
  });
}

/** Records what the installer reports. Repeated reports change nothing, and progress never goes back. */
export async function bootReport(app: App, secret: string, report: BootReport): Promise<'recorded' | 'unknown'> {
  return app.store.transaction(async (queries) => {
    const reload = await reloadOfSecret(queries, bootSecretHash(secret));
    if (reload === undefined) return 'unknown';
    if (reload.requested_at === null) await recordRequest(app, queries, reload.id, '');
    if (report.phase !== 'Booting' && reload.outcome === null) await recordReport(app, queries, reload, report);
    return 'recorded';
  });
}

async function recordRequest(app: App, queries: Queries, id: string, mac: string): Promise<void> {
  const reload = await reloadLoad(queries, id);
  if (reload === undefined || reload.requested_at !== null) return;
  const at = app.clock.now();
  await reloadUpdate(queries, id, { requested_at: at, ...(mac === '' ? {} : { mac }) });
  await reloadMove(queries, id, 'Booting');
  await reloadLogAppend(queries, {
    reload_id: id,
    at,
    status: 'Booting',
    text: 'The server requested its boot script.',
  });
}

async function recordReport(app: App, queries: Queries, before: Reload, report: BootReport): Promise<void> {
  const at = app.clock.now();
  const message = toPrintableLine(report.message ?? '');
  const isHashUsed = before.password_fetched === 1 || report.phase === 'Completed';
  await reloadUpdate(queries, before.id, {
    begun_at: before.begun_at ?? at,
    ...(isHashUsed ? { password_hash: null } : {}),
    ...(report.phase === 'Installing' ? {} : { outcome: report.phase as 'Completed' | 'Failed', message }),
  });
  const percent = Math.max(before.percent, report.phase === 'Completed' ? 100 : clampPercent(report.percent ?? 0));
  const isProgress = percent > before.percent || before.status !== 'Installing';
  if (before.kind === 'reload' && isProgress) await reloadMove(queries, before.id, 'Installing', { percent });
  const after = (await reloadLoad(queries, before.id))!;
  if (!isProgress && message === '') return;
  await reloadLogAppend(queries, { reload_id: before.id, at, status: statusText(after), text: message });
  const step = Math.floor(percent / percentPerEvent);
  if (
    before.kind !== 'reload' ||
    (before.status === 'Installing' && step === Math.floor(before.percent / percentPerEvent))
  )
    return;
  await appendEvent(app, queries, {
    account: before.account_id,
    service: before.service_id,
    type: 'device.reload.progress',
    data: { status: statusText(after) },
  });
}

function clampPercent(percent: number): number {
  return Math.min(100, Math.max(0, Math.floor(percent)));
}

/** Customers see the message unchanged. */
function toPrintableLine(message: string): string {
  return message
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestMessage);
}

async function orderOf(app: App, reload: Reload): Promise<BootOrder | undefined> {
  const { queries } = app.store;
  const service = await serviceFind(queries, reload.account_id, reload.service_id);
  if (service === undefined) return undefined;
  const server = await installServer(queries, service, reload.server);
  return {
    kind: reload.kind,
    secret: bootSecret(app.secrets, reload.id),
    system: reloadSystem.decode(reload.system),
    install: {
      ...server,
      mac: reload.mac ?? server.mac,
      passwordHash: reload.password_hash ?? '',
      sshKeys: reloadSshKeys.decode(reload.ssh_keys),
    },
  };
}
