// A suite whose customer orders virtual machines on hypervisors of the lab in two locations.
//
//   const orders = machineOrders(suite);
//   let app: TestApp;
//   before(() => void ({ app } = orders));

import { before } from 'node:test';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import type { Methods } from '#sdk/v2.ts';
import { machineFind } from '#store/devices/machines.ts';
import type { TestApp } from './app.ts';
import type { EngineSuite } from './engine-suite.ts';
import { machineSite } from './machine-site.ts';
import { operatorResult } from './operators.ts';
import { request, requestResult, type ErrorResult } from './request.ts';
import { until } from './until.ts';

/** What a method of the SDK returns. */
export type Result<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>;

const token = 'secret-enough';
const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };

export function machineOrders({ owned, openApp }: EngineSuite) {
  let app: TestApp;
  let key: string;
  let nodes: Record<'ams1' | 'ams2' | 'fra1', LabHypervisor>;
  let names = 0;
  before(async () => {
    const start = async (memoryMb: number) => owned.use(await startLabHypervisor({ token, timing, memoryMb }));
    nodes = { ams1: await start(8000), ams2: await start(8000), fra1: await start(700) };
    const siteNodes = Object.entries(nodes).map(([name, { address, port }]) => ({
      name,
      driver: 'lab',
      location: name.startsWith('ams') ? 'Amsterdam' : 'Frankfurt',
      settings: { address, port, token },
    }));
    const { site, key: own } = machineSite(siteNodes, []);
    key = own;
    const size = { vcpus: 1, memoryMb: 512, diskGb: 10, addresses: '/32', order: true } as const;
    app = await openApp({
      worksOffJobs: true,
      site: {
        ...site,
        netblocks: [
          { cidr: '10.64.0.0/20', pool: 'assign' },
          { cidr: '2001:db8:64::/56', pool: 'assign' },
        ],
        orders: { machines: 8 },
        plans: [
          { name: 'Small', price: '5.00', cycle: 'monthly', machine: size },
          { name: 'Hourly', price: '5.00', hourly: '0.01', cycle: 'monthly', machine: size },
          { name: 'Year', price: '4.00', cycle: 'monthly', minimum: 12, machine: size },
          { name: 'Huge', price: '500.00', cycle: 'monthly', machine: { ...size, memoryMb: 100_000 } },
          { name: 'By staff', price: '5.00', cycle: 'monthly', machine: { ...size, order: false } },
        ],
      },
    });
    await machineSync(app.parts, async () => {}).run(AbortSignal.timeout(60_000));
  });

  const call = (method: string, path: string, params?: object) =>
    request<{ result: ErrorResult }>(app, method, path, { key, ...(params && { params: { ...params } }) });
  const result = <Value>(method: string, path: string, params?: object) =>
    requestResult<Value>(app, method, path, { key, ...(params && { params: { ...params } }) });
  const order = (fields: object = {}) => ({
    plan: 'Small',
    system: 'debian-12',
    hostname: `m${++names}.example.net`,
    ...fields,
  });
  const create = (fields: object = {}) => result<Result<'machineCreate'>>('POST', '/v2/machine', order(fields));
  const list = () => result<Result<'machineList'>>('GET', '/v2/machine');
  const find = async (service: string) => (await list()).find((machine) => machine.service === service);
  const untilStatus = (service: string, status: string) =>
    until(async () => (await find(service))?.status === status, { saw: () => find(service) });
  /** Returns a machine that runs. */
  const created = async (fields: object = {}) => {
    const machine = await create(fields);
    await untilStatus(machine.service, 'Active');
    return machine;
  };
  const machineOn = (vmid: string) =>
    Object.values(nodes).flatMap(({ machines }) => machines.get(`vm-${vmid}`) ?? [])[0];
  const nodeOf = (vmid: string) => Object.entries(nodes).find(([, { machines }]) => machines.has(`vm-${vmid}`))?.[0];
  /** Staff end the service, and nothing of the machine remains. */
  const forget = async (machine: { service: string; hostname: string }) => {
    await operatorResult(app, 'DELETE', 'service', { id: machine.service, hostname: machine.hostname });
    await until(async () => {
      await machineTidy(app.parts).run(AbortSignal.timeout(60_000));
      return (await machineFind(app.parts.store.queries, Number(machine.service))) === undefined;
    });
  };
  return {
    get app() {
      return app;
    },
    get key() {
      return key;
    },
    get nodes() {
      return nodes;
    },
    call,
    result,
    order,
    create,
    list,
    find,
    untilStatus,
    created,
    machineOn,
    nodeOf,
    forget,
  };
}
