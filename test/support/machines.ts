// A customer's virtual machine in a test app: the calls that tests make on it, and its simulator.
import type { LabVirtualMachine } from '#lab/hypervisor/machine.ts';
import type { LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { machineChange, machinesPending } from '#store/devices/machines.ts';
import { serviceActivate } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import { requestDevice } from './devices.ts';
import { listEvents } from './event-stream.ts';
import { request, requestResult, type Envelope, type TestResponse } from './request.ts';
import { until } from './until.ts';
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts';

/** Creates the machines without running jobs, as their workflow would: on the requested hypervisor or on this one. */
export async function adoptMachines(store: Store, node: string): Promise<void> {
  for (const { service_id, wanted_node } of await machinesPending(store.queries)) {
    await machineChange(store.queries, service_id, { state: 'ready', node: wanted_node ?? node });
    await serviceActivate(store.queries, service_id);
  }
}

export interface TestMachine extends AsyncDisposable {
  readonly app: TestApp;
  readonly node: LabHypervisor;
  readonly service: string;
  readonly vmid: string;
  /** The machine as the hypervisor keeps it. */
  own(): LabVirtualMachine;
  v2(method: string, path: string, params?: Record<string, unknown>, key?: string): Promise<TestResponse<Envelope>>;
  legacy(method: string, path: string, form?: Record<string, string>, key?: string): Promise<TestResponse<Envelope>>;
  /** The account's events for this machine, oldest first. */
  events(prefix: string): Promise<{ type: string; data: Record<string, unknown> }[]>;
}

export async function openMachine(options: TestAppOptions = {}): Promise<TestMachine> {
  return machineOf(await openTestApp({ worksOffJobs: true, ...options }));
}

/** Turns the lab's machine into a container with a login prompt. */
export async function becomeContainer({ app, service, own }: TestMachine): Promise<void> {
  await app.parts.store.queries.updateTable('machines').set({ kind: 'OpenVZ' }).execute();
  const params = { service, value: 'alpine-3.20-container' };
  await requestResult(app, 'POST', '/v2/device/reload', { key: app.lab.customer.key, params });
  const isReady = () => own().system().template === params.value && own().screen.text().includes('login:');
  await until(isReady, { saw: () => own().screen.text() });
}

export function machineOf(app: TestApp): TestMachine {
  const { service, vmid } = app.lab.vps;
  const { key: own } = app.lab.customer;
  const node = app.equipment.hypervisor.simulator;
  return {
    app,
    node,
    service,
    vmid,
    own: () => node.machines.get(`vm-${vmid}`)!,
    v2: (method, path, params = {}, key = own) => requestDevice(app, method, path, { service, key, params }),
    legacy: (method, path, form = {}, key = own) =>
      request<Envelope>(app, method, path, { key, ...(method === 'GET' ? { params: form } : { form }) }),
    async events(prefix) {
      const events = await listEvents(app, own, { service });
      return events.filter(({ type }) => type.startsWith(prefix)).map(({ type, data }) => ({ type, data }));
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
