// Compares the responses that the tenants got with the database, the equipment, the name servers and their webhooks. Each function
// returns the violations, as sentences.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import type { LabSwitch } from '#lab/switch/switch.ts';
import type { Queries } from '#store/store.ts';
import { temporaryFolder } from '../folder.ts';
import type { Journal } from './journal.ts';

/** Reports names that are missing, unexpected, or there more than once. */
export function compareNames(what: string, wanted: Iterable<string>, actual: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of actual) counts.set(name, (counts.get(name) ?? 0) + 1);
  const expected = new Set(wanted);
  return [
    ...[...expected].filter((name) => !counts.has(name)).map((name) => `${what} ${name} was acknowledged and is lost`),
    ...[...counts].filter(([name]) => !expected.has(name)).map(([name]) => `${what} ${name} was never acknowledged`),
    ...[...counts].filter(([, count]) => count > 1).map(([name, count]) => `${what} ${name} exists ${count} times`),
  ];
}

const entries = (map: ReadonlyMap<string, string>): string[] => [...map].map(([key, value]) => `${key} ${value}`);

/** Everything that was acknowledged exists exactly once, and nothing else does. */
export async function workProblems(queries: Queries, journal: Journal): Promise<string[]> {
  const { account } = journal.tenant;
  const contacts = await queries.selectFrom('contacts').selectAll().where('account_id', '=', account).execute();
  const records = await queries
    .selectFrom('records')
    .select(['name', 'content'])
    .where('zone_id', '=', Number(journal.zone))
    .where('type', '=', typeA)
    .execute();
  const services = await queries
    .selectFrom('services')
    .leftJoin('machine_deletions', 'machine_deletions.service_id', 'services.id')
    .select(['id', 'hostname', 'ip', 'status', 'deleted_at'])
    .where('services.account_id', '=', account)
    .where('type', '!=', 'dedicated')
    .execute();
  const machines = [...journal.machines];
  return [
    ...compareNames(
      'contact',
      entries(journal.contacts),
      contacts.map(({ firstname, id }) => `${firstname} ${id}`),
    ),
    ...compareNames(
      'record',
      entries(journal.records),
      records.map(({ name, content }) => `${name} ${content}`),
    ),
    ...compareNames(
      'machine',
      machines.map(
        ([hostname, { service, ip, isDeleted }]) => `${hostname} ${service} ${ip} ${isDeleted ? 'deleted' : 'Active'}`,
      ),
      services.map(
        ({ hostname, id, ip, status, deleted_at }) =>
          `${hostname} ${id} ${ip} ${deleted_at === null ? status : 'deleted'}`,
      ),
    ),
    ...(await snapshotProblems(queries, journal)),
    ...(await topUpProblems(queries, journal)),
    ...(await auditProblems(queries, journal)),
  ];
}

const typeA = 1;

/** A snapshot exists if its action succeeded, and not if it failed. Those of deleted machines may be gone with them. */
async function snapshotProblems(queries: Queries, { tenant, machines, snapshots }: Journal): Promise<string[]> {
  const deleted = new Set([...machines.values()].filter(({ isDeleted }) => isDeleted).map(({ service }) => service));
  const wanted: string[] = [];
  for (const [name, { service, action }] of snapshots) {
    const workflow = await queries.selectFrom('workflows').select('status').where('id', '=', action).executeTakeFirst();
    if (workflow === undefined) wanted.push(`${service} ${name} (no action)`);
    else if (workflow.status === 'Completed' && !deleted.has(service)) wanted.push(`${service} ${name}`);
  }
  const rows = await queries
    .selectFrom('machine_snapshots')
    .select(['service_id', 'name'])
    .where('account_id', '=', tenant.account)
    .where('state', '=', 'ready')
    .execute();
  const existing = rows.filter(({ service_id }) => !deleted.has(String(service_id)));
  return compareNames(
    'snapshot',
    wanted,
    existing.map(({ service_id, name }) => `${service_id} ${name}`),
  );
}

async function topUpProblems(queries: Queries, { tenant, topUps }: Journal): Promise<string[]> {
  const charges = await queries
    .selectFrom('payment_charges')
    .select('amount_cents')
    .where('account_id', '=', tenant.account)
    .where('purpose', '=', 'top-up')
    .execute();
  const created = charges.map(({ amount_cents }) => String(amount_cents));
  const certain = [...topUps].filter(([, how]) => how === 'done').map(([cents]) => String(cents));
  const possible = [...topUps.keys()].map(String).filter((cents) => created.includes(cents));
  return compareNames('top-up', [...certain, ...possible], created);
}

/** The audit log has an entry for each acknowledged change, and for no other. */
async function auditProblems(queries: Queries, { tenant, calls }: Journal): Promise<string[]> {
  const rows = await queries
    .selectFrom('audit')
    .select('operation')
    .where('account_id', '=', tenant.account)
    .where('outcome', '=', 'success')
    .execute();
  return [...calls].flatMap(([operation, { done, unknown }]) => {
    const logged = rows.filter((row) => row.operation === `v2.${operation}`).length;
    const isPossible = done <= logged && logged <= done + unknown;
    return isPossible
      ? []
      : [`${operation} was acknowledged ${done} times (${unknown} unknown) and logged ${logged} times`];
  });
}

/** Equipment is as acknowledged, and as the database says. */
export async function equipmentProblems(
  queries: Queries,
  journals: readonly Journal[],
  equipment: { readonly network: LabSwitch; readonly hypervisors: readonly LabHypervisor[] },
): Promise<string[]> {
  const problems: string[] = [];
  const servers = await queries.selectFrom('servers').selectAll().execute();
  const machines = await queries.selectFrom('machines').selectAll().execute();
  const running = equipment.hypervisors.flatMap((hypervisor) => [...hypervisor.machines]);
  for (const { tenant, power, ports } of journals) {
    for (const { name, service, bmc, ifIndex } of tenant.servers) {
      const row = servers.find((server) => server.name === name);
      const [wanted, actual] = [power.get(service) ?? 'unknown', bmc.chassis.power];
      if (row?.power_state !== actual || row.power_error !== null)
        problems.push(`${name} is ${actual}, and ${row?.power_state} (${row?.power_error}) in the database`);
      if (wanted !== 'unknown' && wanted !== actual)
        problems.push(`${name} was acknowledged as ${wanted} and is ${actual}`);
      const port = ports.get(ifIndex) ?? 'unknown';
      const status = equipment.network.ports.get(ifIndex)!.adminStatus;
      if (port !== 'unknown' && port !== status)
        problems.push(`port ${ifIndex} was acknowledged as ${port} and is ${status}`);
    }
  }
  const deleted = new Set(
    journals.flatMap(({ machines: own }) =>
      [...own.values()].filter((machine) => machine.isDeleted).map(({ service }) => service),
    ),
  );
  for (const { service_id, vmid, state, node, power_state, power_error } of machines) {
    const service = String(service_id);
    const copies = running.filter(([name]) => name === `vm-${vmid}`);
    // It was deleted before it was created.
    if (deleted.has(service) && state === 'pending' && copies.length === 0) continue;
    if (copies.length !== 1 || state !== 'ready') {
      problems.push(`machine ${vmid} is ${state} on ${node}, and hypervisors have ${copies.length} of it`);
      continue;
    }
    const actual = copies[0]![1].state.power;
    if (power_state !== actual || power_error !== null)
      problems.push(`machine ${vmid} is ${actual}, and ${power_state} (${power_error}) in the database`);
    const wanted = deleted.has(service)
      ? 'off'
      : (journals.find(({ power }) => power.has(service))?.power.get(service) ?? 'unknown');
    if (wanted !== 'unknown' && wanted !== actual)
      problems.push(`machine ${vmid} was acknowledged as ${wanted} and is ${actual}`);
  }
  const known = new Set(machines.map(({ vmid }) => `vm-${vmid}`));
  for (const [name] of running)
    if (!known.has(name)) problems.push(`${name} runs on a hypervisor, but belongs to nobody`);
  return problems;
}

/** The name servers have the same as the database: every record of the tenant, and every reverse name. */
export async function dnsProblems(
  queries: Queries,
  journal: Journal,
  server: { readonly address: string; readonly port: number },
) {
  const rows = await queries
    .selectFrom('records')
    .select(['name', 'content'])
    .where('zone_id', '=', Number(journal.zone))
    .where('type', '=', typeA)
    .execute();
  const wanted = new Map(rows.map(({ name, content }) => [`${name} A`, content]));
  for (const [ip, name] of journal.reverse)
    wanted.set(`${ip.split('.').toReversed().join('.')}.in-addr.arpa PTR`, name);
  // A name that never existed must not be there either.
  wanted.set(`absent.${journal.tenant.canary}.test A`, '');
  const answers = await digAll(server, [...wanted.keys()]);
  return [...wanted]
    .filter(([question, content]) => (answers.get(question) ?? '') !== content)
    .map(
      ([question, content]) =>
        `${server.address} answers ${answers.get(question) ?? 'nothing'} to ${question} instead of ${content || 'nothing'}`,
    );
}

/** Asks all questions, such as `www.example.com A`, with one dig. */
async function digAll(
  { address, port }: { readonly address: string; readonly port: number },
  questions: readonly string[],
): Promise<Map<string, string>> {
  await using folder = await temporaryFolder('dig');
  const file = join(folder.path, 'questions');
  await writeFile(file, `${questions.join('\n')}\n`);
  const args = [`@${address}`, '-p', String(port), '+noall', '+answer', '+tries=5', '+time=3', '-f', file];
  const { stdout } = await promisify(execFile)('dig', args, { maxBuffer: 1 << 26 });
  const answers = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const [name, , , type, content] = line.split(/\s+/);
    if (content !== undefined) answers.set(`${name!.replace(/\.$/, '')} ${type}`, content.replace(/\.$/, ''));
  }
  return answers;
}

/** The tenant saw nothing of others, and the stream and the webhooks have every event of the log once and in order. */
export async function eventProblems(
  queries: Queries,
  journal: Journal,
  listed: readonly { readonly id: string }[],
): Promise<string[]> {
  const { webhook, account, canary, otherCanaries } = journal.tenant;
  const strange = webhook.received.filter(({ body }) => otherCanaries.some((other) => body.includes(other)));
  const leaks = [...journal.leaks, ...strange.map(({ body }) => `webhook: ${body}`)];
  const problems = leaks.map((leak) => `${canary} saw something of another tenant: ${leak}`);
  const ids = listed.map(({ id }) => id);
  if (new Set(ids).size < ids.length) problems.push('an event is in the log twice');
  const expected = ids.slice(0, journal.streamed.length);
  if (journal.streamed.length === 0 || journal.streamed.some((id, index) => id !== expected[index]))
    problems.push(`the stream of ${canary} differs from its log`);
  const accepted = new Set(webhook.received.filter(({ status }) => status < 300).map(({ event }) => event.id));
  const [first] = await queries
    .selectFrom('deliveries')
    .select((select) => select.fn.min('sequence').as('sequence'))
    .where('account_id', '=', account)
    .execute();
  const missing = ids.slice(Number(first?.sequence ?? 1) - 1).filter((id) => !accepted.has(id));
  if (missing.length > 0) problems.push(`${missing.length} events never reached the webhook of ${canary}`);
  return problems;
}
