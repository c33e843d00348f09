// Staff adopt machines that a hypervisor had before Hostyard, for an existing service or for a new one of a customer.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { adoptionOperator } from '#contract/operator/adoption.ts';
import { networkText, prefixLengthOf } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { ApiError, invalid, requireFound } from '#lib/api-error.ts';
import { serviceLoad, type Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { assignNetblock, requireOwnBlock } from '../network/netblock-requests.ts';
import { lockCustomer } from '../operator/accounts.ts';
import { addService } from '../services/provision.ts';
import { findAdoptionTemplate, inspectMachine, listUnknownMachines, storeMachine } from './adoption.ts';

type Order = InputOf<typeof adoptionOperator.machineAdopt>;
type Result<Name extends keyof typeof adoptionOperator> = Static<(typeof adoptionOperator)[Name]['result']>;

const newServiceFields = ['account', 'hostname', 'plan', 'netblock'] as const;

export async function nodeAdoptable({ app }: Context, node: string): Promise<Result<'nodeAdoptable'>> {
  return (await listUnknownMachines(app, node)).map(({ name, power }) => ({ machine: name, power }));
}

export async function machineInspect(
  { app }: Context,
  order: InputOf<typeof adoptionOperator.machineInspect>,
): Promise<Result<'machineInspect'>> {
  const { vcpus, memoryMb, diskGb, mac = '', limitations } = await inspectMachine(app, order);
  const size = { vcpus: String(vcpus), memorymb: String(memoryMb), diskgb: String(diskGb) };
  return { machine: order.machine, ...size, mac, limitations: [...limitations] };
}

export async function machineAdopt(context: Context, order: Order): Promise<Result<'machineAdopt'>> {
  const { app } = context;
  checkFields(order);
  const { node, machine: name, bandwidthgb: bandwidthGb = 0, filter: isFiltered = false } = order;
  const template = await findAdoptionTemplate(app, order);
  const machine = await inspectMachine(app, order);
  return app.store.transaction(async (queries) => {
    const service = await findOrAddService({ ...context, queries }, order);
    const adoption = { node, machine: name, service: service.id, template: template.value, bandwidthGb, isFiltered };
    const outcome = await storeMachine(app, queries, adoption, template, machine, false);
    const { id, vmid } = service;
    return { service: String(id), vmid: String(vmid), outcome, limitations: [...machine.limitations] };
  });
}

function checkFields(order: Order): void {
  const isNew = order.service === undefined;
  const wrong = newServiceFields.filter((field) => (order[field] !== undefined) !== isNew);
  const problem = isNew ? 'is required without service' : 'cannot be used with service';
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map((field) => [field, problem])));
}

async function findOrAddService(context: Context, order: Order): Promise<Service> {
  const { queries } = context;
  const { account: customer, hostname, plan, netblock } = order;
  if (order.service !== undefined) {
    const service = requireFound(await serviceLoad(queries, order.service), 'Service not found.');
    context.onBehalfOf(service.account_id);
    return service;
  }
  const { id: account, status } = await lockCustomer(queries, customer!);
  if (status === 'Closed') throw new ApiError('account_closed');
  const acting = { ...context.onBehalfOf(account), queries };
  const [main, ...others] = netblock!.map((block) => networkText(parseNetwork(block)!));
  if (main === undefined) throw invalid({ netblock: 'must be at least one block' });
  const fields = { type: 'vps', name: plan!, hostname: hostname!, plan: plan! } as const;
  const service = await addService(acting, account, fields, { netblock: main });
  for (const block of others)
    await assignNetblock(acting, service, await requireOwnBlock(acting, block), prefixLengthOf({ cidr: block }));
  return service;
}
