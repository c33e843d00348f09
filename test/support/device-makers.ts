// Calls of the operator API about services, their devices and addresses, and equipment, that succeed, for the sweeps.
import { isoNames } from '#contract/catalogue.ts';
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
import { labSwitchName } from '#lab/network.ts';
import type { AccountId } from '#store/account-id.ts';
import { netblockRequestInsert } from '#store/network/netblock-requests.ts';
import type { TestApp } from './app.ts';
import type { Example } from './examples.ts';
import type { Maker, OperatorCall } from './operator-fixtures.ts';
import { asOperator, machineOrder, operatorResult } from './operators.ts';
import { quarantineServer } from './quarantine.ts';
import { prepareForRoute } from './reload-fixtures.ts';
import { requestResult } from './request.ts';
import { freeDevices } from './routes.ts';

async function waitingRequest({ parts, lab }: TestApp): Promise<string> {
  const id = await netblockRequestInsert(parts.store.queries, {
    account_id: Number(lab.customer.account) as AccountId,
    service_id: Number(lab.dedicated.service),
    family: 'ipv4',
    prefix_length: 30,
    status: 'Pending',
    cidr: '',
    created_at: parts.clock.now(),
  });
  return String(id);
}

async function assignedBlock(app: TestApp): Promise<string> {
  const { customer, dedicated } = app.lab;
  const params = { service: dedicated.service, type: 'ipv4', size: '/32' };
  const call = { key: customer.key, params };
  return (await requestResult<{ netblock: string }>(app, 'POST', '/v2/network/netblock', call)).netblock;
}

function inQuarantine({ parts }: TestApp): Promise<string> {
  return quarantineServer(parts, parts.store.queries);
}

/** Ends all workflows: nothing runs jobs in a sweep, so they would stay pending forever. */
async function workEnded({ parts }: TestApp): Promise<void> {
  const { queries } = parts.store;
  await queries.updateTable('workflows').set({ ended_at: 1 }).where('ended_at', 'is', null).execute();
}

async function holdDevice(app: TestApp, way: 'lock' | 'maintenance'): Promise<OperatorCall> {
  const device = app.lab.dedicated.server;
  await operatorResult(app, 'POST', `device/${way}`, { device, reason: 'a sweep' });
  return { params: { device } };
}

/** Prepares the dedicated server for an operation on a reload or a rescue system, as for its customer. */
function networkBoot(params: Example = {}): Maker {
  return async (app, route) => {
    await workEnded(app);
    // The customer begins what staff end.
    await app.parts.store.queries.deleteFrom('device_holds').execute();
    await prepareForRoute(app, route);
    await freeDevices(app);
    return { params: { device: app.lab.dedicated.server, ...params } };
  };
}

/** The image of a machine, whose drive needs no upload. */
function machineImage(...steps: readonly ('POST' | 'PUT')[]): Maker {
  return async (app) => {
    const device = `vm-${app.lab.cloud.vmid}`;
    const image = isoNames[0]!;
    const params = { device, reason: 'a sweep' };
    await asOperator(app, 'DELETE', 'device/iso', params);
    for (const method of steps)
      await operatorResult(app, method, 'device/iso', method === 'POST' ? { ...params, image } : params);
    return { params: { device } };
  };
}

function dedicatedDevice({ lab }: TestApp): OperatorCall {
  return { params: { device: lab.dedicated.server } };
}

/** A server that is off cannot be shut down, and an earlier call may still be about to switch it off. */
function deviceThatIsOn(app: TestApp): OperatorCall {
  const { server } = app.lab.dedicated;
  app.equipment.bmcs.find((bmc) => bmc.server === server)!.simulator.chassis.control('on');
  return dedicatedDevice(app);
}

export const deviceMakers: Readonly<Record<string, Maker>> = {
  serviceGet: ({ lab }) => ({ params: { id: lab.dedicated.service } }),
  servicePreview: ({ lab }) => ({ params: machineOrder(lab.customer.account) }),
  serviceProvision: ({ lab }) => ({ params: machineOrder(lab.customer.account) }),
  serviceSuspend: async (app) => {
    await workEnded(app);
    return { params: { id: app.lab.cloud.service } };
  },
  serviceResume: async (app) => {
    const { lab, parts } = app;
    await workEnded(app);
    const id = Number(lab.vps.service);
    await parts.store.queries.updateTable('services').set({ status: 'Suspended' }).where('id', '=', id).execute();
    return { params: { id } };
  },
  serviceRetry: async (app) => {
    await workEnded(app);
    const id = Number(app.lab.vps.service);
    const { queries } = app.parts.store;
    await queries.updateTable('services').set({ status: 'Pending' }).where('id', '=', id).execute();
    await queries.updateTable('machines').set({ state: 'pending', node: null }).where('service_id', '=', id).execute();
    return { params: { id } };
  },
  serviceTerminate: async (app) => {
    await workEnded(app);
    const { service } = app.lab.dedicated;
    const { hostname } = await operatorResult<{ hostname: string }>(app, 'GET', `service/${service}`);
    return { params: { id: service, hostname } };
  },
  netblockRelease: async (app) => ({ params: { netblock: await assignedBlock(app) } }),
  requestApprove: async (app) => ({ params: { id: await waitingRequest(app) } }),
  requestRefuse: async (app) => ({ params: { id: await waitingRequest(app) } }),
  deviceGet: dedicatedDevice,
  devicePowerGet: dedicatedDevice,
  devicePowerSet: dedicatedDevice,
  deviceShutdown: deviceThatIsOn,
  deviceBootSet: dedicatedDevice,
  deviceHardwareGet: dedicatedDevice,
  deviceConsoleTicket: dedicatedDevice,
  deviceConsoleReset: dedicatedDevice,
  deviceRescueStatus: dedicatedDevice,
  deviceTemplateList: dedicatedDevice,
  deviceReloadStatus: dedicatedDevice,
  deviceReloadLog: dedicatedDevice,
  deviceConsoleWeb: () => ({ params: { device: 'dc01r01ds02-01' } }),
  deviceRescueStart: networkBoot(),
  deviceRescueEnd: networkBoot(),
  deviceReloadStart: networkBoot({ value: 'debian-12' }),
  deviceReloadCancel: networkBoot(),
  deviceImageList: machineImage(),
  deviceImageStatus: machineImage(),
  deviceImageUpload: async (app, route) => {
    const { params } = await machineImage()(app, route);
    return { params: { ...params, image: isoNames[0]! } };
  },
  deviceImageMount: machineImage('POST'),
  deviceImageUnmount: machineImage('POST', 'PUT'),
  deviceLock: dedicatedDevice,
  deviceUnlock: async (app) => holdDevice(app, 'lock'),
  deviceMaintenanceBegin: ({ lab }) => ({ params: { device: `vm-${lab.vps.vmid}` } }),
  deviceMaintenanceEnd: async (app) => holdDevice(app, 'maintenance'),
  deviceSensorsGet: ({ lab }) => ({ params: { server: lab.dedicated.server } }),
  deviceDiscover: ({ lab }) => ({ params: { server: lab.dedicated.server } }),
  reclaimRetry: async (app) => ({ params: { server: await inQuarantine(app) } }),
  reclaimSignOff: async (app) => ({ params: { server: await inQuarantine(app), step: 'erase' } }),
  portEnable: dedicatedDevice,
  portDisable: dedicatedDevice,
  trafficGet: dedicatedDevice,
  monthGet: dedicatedDevice,
  nodeGet: () => ({ params: { name: labHypervisorName } }),
  machineList: () => ({ params: { node: labHypervisorName } }),
  switchGet: () => ({ params: { name: labSwitchName } }),
  portList: () => ({ params: { switch: labSwitchName } }),
  nullrouteAdd: ({ lab }) => ({ params: { ip: lab.dedicated.ips[0]! } }),
  nullrouteRemove: async (app) => {
    const ip = app.lab.dedicated.ips[0]!;
    await operatorResult(app, 'POST', 'nullroute', { ip, reason: 'a sweep' });
    return { params: { ip } };
  },
};
