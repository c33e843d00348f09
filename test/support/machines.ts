// A customer's virtual machine in a test yard: the calls that stories make on it, and its simulator.
import type { LabVirtualMachine } from '#lab/node/machine.ts';
import type { LabNode } from '#lab/node/node.ts';
import { machineChange, machinesPending } from '#store/devices/machines.ts';
import { serviceActivate } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import type { Told } from './devices.ts';
import { request, type Answer } from './request.ts';
import { openTestYard, type TestYard, type TestYardOptions } from './yard.ts';

/** Where nothing works off jobs, machines are taken over as their workflow would: on the node that they ask for, or this one. */
export async function adoptMachines(store: Store, node: string): Promise<void> {
  for (const { service_id, wanted_node } of await machinesPending(store.queries)) {
    await machineChange(store.queries, service_id, { state: 'ready', node: wanted_node ?? node });
    await serviceActivate(store.queries, service_id);
  }
}

export interface TestMachine extends AsyncDisposable {
  readonly yard: TestYard;
  readonly node: LabNode;
  readonly service: string;
  readonly vmid: string;
  /** The machine itself, as the node keeps it. */
  own(): LabVirtualMachine;
  v2(method: string, path: string, params?: Record<string, unknown>, key?: string): Promise<Answer<Told>>;
  legacy(method: string, path: string, form?: Record<string, string>, key?: string): Promise<Answer<Told>>;
  /** What the account was told of this machine, oldest first. */
  events(prefix: string): Promise<{ type: string; data: Record<string, unknown> }[]>;
}

export async function openMachine(options: TestYardOptions = {}): Promise<TestMachine> {
  return machineOf(await openTestYard({ worksOffJobs: true, ...options }));
}

export function machineOf(yard: TestYard): TestMachine {
  const { service, vmid } = yard.lab.vps;
  const { key: own } = yard.lab.customer;
  const node = yard.equipment.node.simulator;
  return {
    yard,
    node,
    service,
    vmid,
    own: () => node.machines.get(`vm-${vmid}`)!,
    v2: (method, path, params = {}, key = own) => {
      const inPath = method === 'GET' ? `/${service}` : '';
      const all = method === 'GET' ? params : { service, ...params };
      return request<Told>(yard, method, `/v2/device/${path}${inPath}`, { key, params: all });
    },
    legacy: (method, path, form = {}, key = own) =>
      request<Told>(yard, method, path, { key, ...(method === 'GET' ? { params: form } : { form }) }),
    async events(prefix) {
      const answer = await request<{
        result: { events: { type: string; service: string; data: Record<string, unknown> }[] };
      }>(yard, 'GET', '/v2/event', { key: own, params: { service } });
      return answer.body.result.events
        .filter(({ type }) => type.startsWith(prefix))
        .map(({ type, data }) => ({ type, data }));
    },
    [Symbol.asyncDispose]: () => yard[Symbol.asyncDispose](),
  };
}
