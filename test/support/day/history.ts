// Explains violations that concern machines: what is recorded about each, its workflows, and what its hypervisors did.
import type { LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import type { Queries } from '#store/store.ts';

/** `logs` are lines of all instances. */
export async function machineHistories(
  queries: Queries,
  problems: readonly string[],
  hypervisors: readonly LabHypervisor[],
  logs: readonly string[],
): Promise<string[]> {
  const vmids = new Set(problems.flatMap((problem) => /^(?:machine |vm-)([0-9]+) /.exec(problem)?.[1] ?? []));
  const lines: string[] = [];
  for (const vmid of vmids) {
    const row = await queries.selectFrom('machines').selectAll().where('vmid', '=', Number(vmid)).executeTakeFirst();
    lines.push(`machine ${vmid}: ${JSON.stringify(row)}`);
    for (const [index, { events }] of hypervisors.entries()) {
      const own = events.filter((event) => event.endsWith(` vm-${vmid}`)).map((event) => event.split(' ')[0]);
      if (own.length > 0) lines.push(`hv${index + 1}: ${own.join(', ')}`);
    }
    const service = row?.service_id ?? 0;
    const deletions = queries.selectFrom('machine_deletions').selectAll().where('service_id', '=', service);
    for (const deletion of await deletions.execute()) lines.push(`deletion: ${JSON.stringify(deletion)}`);
    const workflows = queries.selectFrom('workflows').selectAll().where('service_id', '=', service).orderBy('id');
    for (const workflow of await workflows.execute())
      lines.push(`workflow: ${JSON.stringify(workflow)}`, ...logs.filter((line) => line.includes(workflow.id)));
  }
  return lines;
}
