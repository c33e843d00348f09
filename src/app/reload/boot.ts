// What the boot server asks and tells: what a server that boots over the network is to get, and what its installer reports.
// A server gets something only while its workflow has opened the order; to all others there is nothing.
//
// The secret in the links is drawn from the id of the boot under the sealing key: the database holds only its digest.
import { statusText } from '#contract/reload-status.ts';
import type { ReloadKind } from '#contract/reload-states.ts';
import { eventAppend } from '#jobs/event-append.ts';
import { macText } from '#kernel/addresses.ts';
import { sha256, type SecretBox } from '#kernel/secrets.ts';
import {
  reloadLoad,
  reloadLogAppend,
  reloadMove,
  reloadNote,
  reloadOfMachine,
  reloadOfSecret,
  type Reload,
} from '#store/devices/reloads.ts';
import { serviceFind } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { installServer } from './install-input.ts';
import type { InstallInput, System } from './install/input.ts';
import type { Yard } from '../yard.ts';

export interface BootOrder {
  readonly kind: ReloadKind;
  /** Of this order alone, for its links. */
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
/** An event for every so many percent; the log has them all. */
const eventStep = 10;

export function bootSecret(secrets: SecretBox, id: string): string {
  return secrets.digest(`boot ${id}`);
}

export function bootSecretHash(secret: string): string {
  return sha256(secret).toString('hex');
}

/** For a server that asks for its script. That it did is written down. */
export async function bootOrderFor(
  yard: Yard,
  asked: { readonly mac?: string; readonly uuid?: string },
): Promise<BootOrder | undefined> {
  const mac = macText(asked.mac ?? '');
  const { queries } = yard.store;
  const reload =
    (mac === '' ? undefined : await reloadOfMachine(queries, { mac })) ??
    (asked.uuid === undefined ? undefined : await reloadOfMachine(queries, { uuid: asked.uuid.toLowerCase() }));
  if (reload === undefined) return undefined;
  await yard.store.transaction((within) => requested(yard, within, reload.id, mac));
  return orderOf(yard, { ...reload, mac: mac === '' ? reload.mac : mac });
}

/** For a link that carries a secret. */
export async function bootOrderOf(yard: Yard, secret: string): Promise<BootOrder | undefined> {
  const reload = await reloadOfSecret(yard.store.queries, bootSecretHash(secret));
  return reload === undefined ? undefined : orderOf(yard, reload);
}

/** The file with the password's hash was served. The hash goes with the next report: until then the installer may have to
 * fetch the file again. */
export async function bootPasswordFetched(yard: Yard, secret: string): Promise<void> {
  await yard.store.transaction(async (queries) => {
    const reload = await reloadOfSecret(queries, bootSecretHash(secret));
    if (reload?.password_fetched !== 0) return;
    await reloadNote(queries, reload.id, { password_fetched: 1 });
    await reloadLogAppend(queries, {
      reload_id: reload.id,
      at: yard.clock.now(),
      status: statusText(reload),
      text: 'The server fetched the settings of its new system.',
    });
  });
}

/** What the installer says of itself. Saying it again changes nothing, and nothing goes back. */
export async function bootReport(yard: Yard, secret: string, report: BootReport): Promise<'taken' | 'unknown'> {
  return yard.store.transaction(async (queries) => {
    const found = await reloadOfSecret(queries, bootSecretHash(secret));
    if (found === undefined) return 'unknown';
    if (found.requested_at === null) await requested(yard, queries, found.id, '');
    if (report.phase !== 'Booting' && found.outcome === null) await heard(yard, queries, found, report);
    return 'taken';
  });
}

async function requested(yard: Yard, queries: Queries, id: string, mac: string): Promise<void> {
  const reload = await reloadLoad(queries, id);
  if (reload === undefined || reload.requested_at !== null) return;
  const at = yard.clock.now();
  await reloadNote(queries, id, { requested_at: at, ...(mac === '' ? {} : { mac }) });
  await reloadMove(queries, id, 'Booting');
  await reloadLogAppend(queries, {
    reload_id: id,
    at,
    status: 'Booting',
    text: 'The server asked for its boot script.',
  });
}

async function heard(yard: Yard, queries: Queries, before: Reload, report: BootReport): Promise<void> {
  const at = yard.clock.now();
  const message = cleaned(report.message ?? '');
  const fetched = before.password_fetched === 1 || report.phase === 'Completed';
  await reloadNote(queries, before.id, {
    begun_at: before.begun_at ?? at,
    ...(fetched ? { password_hash: null } : {}),
    ...(report.phase === 'Installing' ? {} : { outcome: report.phase as 'Completed' | 'Failed', message }),
  });
  const percent = Math.max(before.percent, report.phase === 'Completed' ? 100 : bounded(report.percent ?? 0));
  const further = percent > before.percent || before.status !== 'Installing';
  if (before.kind === 'reload' && further) await reloadMove(queries, before.id, 'Installing', { percent });
  const now = (await reloadLoad(queries, before.id))!;
  if (!further && message === '') return;
  await reloadLogAppend(queries, { reload_id: before.id, at, status: statusText(now), text: message });
  const step = Math.floor(percent / eventStep);
  if (before.kind !== 'reload' || (before.status === 'Installing' && step === Math.floor(before.percent / eventStep)))
    return;
  await eventAppend(yard, queries, {
    account: before.account_id,
    service: before.service_id,
    type: 'device.reload.progress',
    data: { status: statusText(now) },
  });
}

function bounded(percent: number): number {
  return Math.min(100, Math.max(0, Math.floor(percent)));
}

/** One line of printable text: it is shown to the customer as it is. */
function cleaned(message: string): string {
  return message
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestMessage);
}

async function orderOf(yard: Yard, reload: Reload): Promise<BootOrder | undefined> {
  const { queries } = yard.store;
  const service = await serviceFind(queries, reload.account_id, reload.service_id);
  if (service === undefined) return undefined;
  const server = await installServer(queries, service, reload.server);
  return {
    kind: reload.kind,
    secret: bootSecret(yard.secrets, reload.id),
    system: JSON.parse(reload.system) as System,
    install: {
      ...server,
      mac: reload.mac ?? server.mac,
      passwordHash: reload.password_hash ?? '',
      sshKeys: JSON.parse(reload.ssh_keys) as string[],
    },
  };
}
