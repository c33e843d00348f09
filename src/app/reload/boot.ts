// The boot server's view of network boots: what a booting server gets, and what its installer reports. A server gets something
// only while its workflow has opened its order.
import { statusText } from '#contract/states/reload-status.ts';
import type { NetworkBootKind } from '#contract/states/reloads.ts';
import type { System } from '#contract/site/systems.ts';
import { appendEvent } from '#events/append.ts';
import { macText } from '#lib/addresses.ts';
import {
  networkBootLoad,
  reloadLogAppend,
  reloadLogTips,
  reloadMove,
  reloadUpdate,
  reloadOfMac,
  reloadReported,
  reloadOfSecret,
  type NetworkBoot,
  reloadSystem,
  reloadSshKeys,
} from '#store/devices/reloads.ts';
import { serviceFind } from '#store/devices/services.ts';
import { eraseFindings } from '#store/devices/reclaims.ts';
import type { Queries } from '#store/store.ts';
import { claimOrder, orderOfLink, type BootLink } from './boot-claims.ts';
import { addEraseReport, type DiskReport, type EraseSummary } from './erase-report.ts';
import { installServer } from './install-input.ts';
import type { InstallInput } from './install/input.ts';
import { bootSecret, bootSecretHash } from './network-boots.ts';
import type { App } from '../app.ts';

export interface BootOrder {
  readonly kind: NetworkBootKind;
  /** Identifies this order in its links. */
  readonly secret: string;
  readonly system: System;
  readonly install: InstallInput;
}

export interface BootReport {
  readonly phase: 'Booting' | 'Installing' | 'Erased' | 'Completed' | 'Failed';
  readonly percent?: number;
  readonly message?: string;
  /** Of `Erased`. */
  readonly diskReport?: DiskReport;
  /** Of `Completed`, when disks were erased. */
  readonly summary?: EraseSummary;
}

const longestMessage = 200;
/** From here on only progress is logged, so that an installer that repeats messages does not fill the database. */
const maxLogLines = 500;
/** Emits an event per ten percent; the log has every report. */
const percentPerEvent = 10;

/** Returns the order of a server that requests its boot script, if it is the first to do so. */
export async function bootOrderFor(
  app: App,
  { mac, uuid, address }: { readonly mac: string; readonly uuid: string; readonly address: string },
): Promise<BootOrder | undefined> {
  const card = macText(mac);
  const open = await reloadOfMac(app.store.queries, card);
  const reload = open && (await claimOrder(app, open, { mac: card, uuid: uuid.toLowerCase(), address }));
  return reload === undefined ? undefined : orderOf(app, reload);
}

/** Returns the order of a link, and records that it was used. */
export async function bootOrderOf(app: App, link: BootLink): Promise<BootOrder | undefined> {
  const { queries } = app.store;
  const reload = await orderOfLink(app, queries, link);
  if (reload === undefined) return undefined;
  if (reload.links_used === 0) await reloadUpdate(queries, reload.id, { links_used: 1 });
  return orderOf(app, reload);
}

/**
 * Records that the file with the password's hash was served. The hash is deleted with the next report: until then the
 * installer may have to fetch the file again.
 */
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
export async function bootReport(
  app: App,
  link: BootLink,
  report: BootReport,
): Promise<'recorded' | 'unknown' | 'invalid'> {
  return app.store.transaction(async (queries) => {
    const order = await orderOfLink(app, queries, link);
    // Nothing can report before it was fetched.
    const reload = order && (await reloadReported(queries, order.id, app.clock.now()));
    if (reload === undefined) return 'unknown';
    if (report.phase === 'Booting' || reload.outcome !== null) return 'recorded';
    if (!(await recordFindings(queries, reload, report))) return 'invalid';
    await recordReport(app, queries, reload, report);
    return 'recorded';
  });
}

/** Returns false if the report does not fit the kind of boot, or those before it. */
async function recordFindings(queries: Queries, reload: NetworkBoot, report: BootReport): Promise<boolean> {
  if (reload.kind !== 'erase') return report.phase !== 'Erased';
  const findings = addEraseReport(reload, report);
  if (findings === undefined) return false;
  await reloadUpdate(queries, reload.id, { findings: eraseFindings.encode(findings) });
  return true;
}

async function recordReport(app: App, queries: Queries, reload: NetworkBoot, report: BootReport): Promise<void> {
  const at = app.clock.now();
  const message = toPrintableLine(report.message ?? '');
  const isHashUsed = reload.password_fetched === 1 || report.phase === 'Completed';
  await reloadUpdate(queries, reload.id, {
    begun_at: reload.begun_at ?? at,
    ...(isHashUsed ? { password_hash: null } : {}),
    ...(report.phase === 'Completed' || report.phase === 'Failed' ? { outcome: report.phase, message } : {}),
  });
  const percent = Math.max(reload.percent, report.phase === 'Completed' ? 100 : clampPercent(report.percent ?? 0));
  const showsProgress = reload.kind === 'reload' || reload.kind === 'erase';
  const isProgress = showsProgress && (percent > reload.percent || reload.status !== 'Installing');
  if (isProgress) await reloadMove(queries, reload.id, 'Installing', { percent });
  const after = (await networkBootLoad(queries, reload.id))!;
  if (!isProgress && (message === '' || (await hasLongLog(queries, reload.id)))) return;
  await reloadLogAppend(queries, { reload_id: reload.id, at, status: statusText(after), text: message });
  const step = Math.floor(percent / percentPerEvent);
  if (
    reload.kind !== 'reload' ||
    (reload.status === 'Installing' && step === Math.floor(reload.percent / percentPerEvent))
  )
    return;
  await appendEvent(app, queries, {
    account: reload.account_id,
    service: reload.service_id,
    type: 'device.reload.progress',
    data: { status: statusText(after) },
  });
}

async function hasLongLog(queries: Queries, id: string): Promise<boolean> {
  return ((await reloadLogTips(queries, [id])).get(id) ?? 0) >= maxLogLines;
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

async function orderOf(app: App, reload: NetworkBoot): Promise<BootOrder | undefined> {
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
