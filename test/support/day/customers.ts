// The work of the day's tenants, each with several programs at once: contacts, DNS, power, ports, machines, snapshots,
// top-ups, and an event stream that they follow.
import { setTimeout as sleep } from 'node:timers/promises';
import { pick, type Random } from '../seeded.ts';
import { anna, nameOf } from '../contacts.ts';
import { readEvents } from '../event-stream.ts';
import { untilDefined } from '../until.ts';
import { createCaller, type Caller } from './caller.ts';
import { noteLeak, type Journal, type OrderedMachine } from './journal.ts';

export interface Customers extends AsyncDisposable {
  /** Number of acknowledged changes. Throws if a client received something that no client should. */
  done(): number;
  /** Responses of all tenants by kind. */
  responses(): Record<string, number>;
  stop(): Promise<void>;
}

export interface CustomerParts {
  readonly url: string;
  readonly journals: readonly Journal[];
  readonly random: Random;
  /** Whether equipment of this service, or of this port, lies now: what it acknowledges is not known to be true. */
  isLying(device: string): boolean;
  /** Does what a person does on a page of the payment provider. */
  completeCheckout(url: string): void;
}

type Act = () => Promise<void>;
const pauseMs = 250;
/** Errors of a machine that is being created, copied or deleted, or has no room. */
const rejections = ['state_conflict', 'device_busy', 'service_suspended', 'nothing_free'] as const;
/** Of a tenant; further orders wait until one is deleted. */
const maxMachines = 12;

export async function startCustomers(parts: CustomerParts): Promise<Customers> {
  const { url, journals, random } = parts;
  const callers: Caller[] = [];
  const failures: unknown[] = [];
  const stopping = new AbortController();
  let numbers = 0;
  const working: Promise<void>[] = [];

  /** Performs one act after the other, until the day is over. */
  async function client(act: Act, restMs = pauseMs): Promise<void> {
    while (!stopping.signal.aborted) {
      await act();
      await sleep(restMs * (0.5 + random()));
    }
  }

  async function startTenant(journal: Journal): Promise<void> {
    const { tenant } = journal;
    const { canary, servers } = tenant;
    const caller = createCaller(journal, url);
    callers.push(caller);
    const { settle } = caller;
    const call = async <Result>(operation: string, method: string, path: string, params?: Record<string, unknown>) => {
      const outcome = await settle({ operation, method, path, ...(params && { params }) });
      if (outcome.how !== 'done') throw new Error(`${operation}: ${outcome.code}`);
      return outcome.result as Result;
    };
    const get = <Result>(path: string, params?: Record<string, unknown>) => call<Result>('', 'GET', path, params);

    journal.zone = await call<string>('zoneCreate', 'POST', '/v2/dns/domain', { domain: `${canary}.test` });
    await call('webhookCreate', 'POST', '/v2/account/webhook', { url: tenant.webhookUrl, description: canary });
    const page = await call<{ id: string; url: string }>('paymentMethodAdd', 'POST', '/v2/payment/method');
    parts.completeCheckout(page.url);
    const methods = () => get<{ id: string }[]>('/v2/payment/method');
    const method = await untilDefined(async () => (await methods()).find(({ id }) => id === page.id)?.id);

    async function makeContact(): Promise<void> {
      const firstname = `${canary}${nameOf(numbers++)}`;
      const { contactid } = await call<{ contactid: string }>('contactCreate', 'POST', '/v2/account/contact', {
        ...anna,
        firstname,
      });
      journal.contacts.set(firstname, contactid);
      const [oldest] = journal.contacts;
      if (journal.contacts.size < 20) return;
      await call('contactDelete', 'DELETE', '/v2/account/contact', { id: oldest![1] });
      journal.contacts.delete(oldest![0]);
    }
    async function changeRecords(): Promise<void> {
      const number = numbers++;
      const content = `10.64.${(number >> 8) & 255}.${number & 255}`;
      const known = [...journal.records.keys()];
      const what = known.length < 10 ? 'add' : pick(random, ['add', 'add', 'change', 'remove']);
      if (what === 'add') {
        const record = `r${number}.${canary}.test`;
        await call('recordCreate', 'POST', '/v2/dns/record', { domain: journal.zone, record, type: 'A', content });
        journal.records.set(record, content);
        return;
      }
      const name = pick(random, known);
      const listed = await get<{ id: string; name: string; type: string }[]>(`/v2/dns/record/${journal.zone}`);
      const { id } = listed.find((record) => record.name === name && record.type === 'A')!;
      if (what === 'change') {
        await call('recordUpdate', 'PUT', '/v2/dns/record', { domain: journal.zone, record: id, content });
        journal.records.set(name, content);
      } else {
        await call('recordDelete', 'DELETE', '/v2/dns/record', { domain: journal.zone, record: id });
        journal.records.delete(name);
      }
    }
    async function nameAddress(): Promise<void> {
      const { ip } = pick(random, servers);
      const record = `n${numbers++}.${canary}.test`;
      await call('reverseSet', 'PUT', '/v2/dns/reverse', { ip, record });
      journal.reverse.set(ip, record);
    }
    async function setPower(service: string): Promise<void> {
      const action = journal.power.get(service) === 'off' ? 'on' : 'off';
      const wasLying = parts.isLying(service);
      const params = { service, action };
      const call = { operation: 'devicePowerSet', method: 'POST', path: '/v2/device/power', params, rejections };
      const { how } = await settle(call);
      if (how === 'rejected') return;
      journal.power.set(service, how === 'done' && !wasLying && !parts.isLying(service) ? action : 'unknown');
    }
    async function setPort(): Promise<void> {
      const { ifIndex, service } = pick(random, servers);
      const state = journal.ports.get(ifIndex) === 'down' ? 'up' : 'down';
      const [method, operation] = state === 'up' ? ['PUT', 'portEnable'] : ['DELETE', 'portDisable'];
      const { how } = await settle({
        operation: operation!,
        method: method!,
        path: '/v2/network/port',
        params: { service },
      });
      journal.ports.set(ifIndex, how === 'done' ? state : 'unknown');
    }
    const kept = (): [string, OrderedMachine][] => [...journal.machines].filter(([, { isDeleted }]) => !isDeleted);
    async function changeMachines(): Promise<void> {
      const own = kept();
      if (own.length < 3 || (own.length < maxMachines && random() < 0.5)) {
        const hostname = `m${numbers++}.${canary}.test`;
        const params = { plan: 'Small', system: 'debian-12', hostname };
        const ordered = await settle({
          operation: 'machineCreate',
          method: 'POST',
          path: '/v2/machine',
          params,
          rejections,
        });
        if (ordered.how !== 'done') return;
        const { service, vmid, ip } = ordered.result as OrderedMachine;
        journal.machines.set(hostname, { service, vmid, ip, isDeleted: false });
        return;
      }
      // The oldest one is left to the client that powers it.
      const [hostname, machine] = pick(random, own.slice(1));
      const params = { service: machine.service, hostname };
      const deleted = await settle({
        operation: 'machineDelete',
        method: 'DELETE',
        path: '/v2/machine',
        params,
        rejections,
      });
      if (deleted.how !== 'done') return;
      machine.isDeleted = true;
    }
    async function takeSnapshot(): Promise<void> {
      const own = kept();
      if (own.length === 0) return;
      const [, { service }] = pick(random, own);
      const name = `${canary} ${numbers++}`;
      const params = { service, name };
      const path = '/v2/machine/snapshot';
      const taken = await settle({ operation: 'machineSnapshotCreate', method: 'POST', path, params, rejections });
      if (taken.how !== 'done') return;
      journal.snapshots.set(name, { service, action: (taken.result as { action: string }).action });
    }
    async function powerMachine(): Promise<void> {
      const [, machine] = kept()[0] ?? [];
      if (machine !== undefined) await setPower(machine.service);
    }
    async function topUp(): Promise<void> {
      const cents = 1000 + journal.topUps.size + 500 * tenant.account;
      const params = { amount: (cents / 100).toFixed(2), method };
      journal.topUps.set(cents, 'unknown');
      const { how } = await settle({ operation: 'topUp', method: 'POST', path: '/v2/payment/topup', params });
      if (how === 'done') journal.topUps.set(cents, 'done');
    }
    async function read(): Promise<void> {
      const { service } = pick(random, servers);
      const paths = ['/v2/account', '/v2/account/invoice', '/v2/machine', '/v2/device/state', '/v2/payment/charge'];
      await get(pick(random, [...paths, `/v2/network/traffic/${service}`, '/v2/event?limit=100', '/v2/dns/domain']));
    }
    /** Follows the event stream like a browser: resumes after the last event. */
    async function follow(): Promise<void> {
      let lastEventId: string | undefined;
      while (!stopping.signal.aborted) {
        try {
          const cursor = lastEventId === undefined ? {} : { lastEventId };
          await using stream = await readEvents({ url }, { key: tenant.key, ...cursor });
          stopping.signal.addEventListener('abort', () => void stream[Symbol.asyncDispose]());
          if (stopping.signal.aborted) return;
          for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
            lastEventId = event.id;
            journal.streamed.push(event.data.id);
            noteLeak(journal, 'event', JSON.stringify(event.data));
          }
        } catch {
          // Disconnected: resumes from the last event.
        }
        await sleep(pauseMs);
      }
    }
    let turn = 0;
    const acts: readonly (readonly [Act, number?])[] = [
      // Hashing its password costs more than everything else.
      [makeContact, 8 * pauseMs],
      [changeRecords],
      [nameAddress, 2 * pauseMs],
      // Each device belongs to one client, so that the last acknowledged command is known.
      [() => setPower(servers[turn++ % servers.length]!.service), 2 * pauseMs],
      [powerMachine, 8 * pauseMs],
      [setPort, 4 * pauseMs],
      [changeMachines, 8 * pauseMs],
      [takeSnapshot, 8 * pauseMs],
      [topUp, 16 * pauseMs],
      [read],
    ];
    for (const [act, restMs] of acts)
      working.push(client(act, restMs).catch((error: unknown) => void failures.push(error)));
    working.push(follow());
  }

  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  const customers: Customers = {
    done() {
      throwFailure();
      const all = journals.flatMap(({ calls }) => [...calls.values()]);
      return all.reduce((sum, { done }) => sum + done, 0);
    },
    responses() {
      const sums: Record<string, number> = {};
      for (const [code, count] of callers.flatMap(({ responses }) => [...responses]))
        sums[code] = (sums[code] ?? 0) + count;
      return sums;
    },
    async stop() {
      stopping.abort();
      await Promise.all(working);
      throwFailure();
    },
    async [Symbol.asyncDispose]() {
      for (const caller of callers) caller.giveUp();
      stopping.abort();
      await Promise.all(working);
    },
  };
  try {
    for (const journal of journals) await startTenant(journal);
    return customers;
  } catch (error) {
    await customers[Symbol.asyncDispose]();
    throw error;
  }
}
