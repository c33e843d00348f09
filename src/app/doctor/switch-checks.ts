// Checks that a switch has the ports in the site file, wherever it numbers them now, that their cables lead to the right
// servers, and that their counters can be read often enough.
import type { Neighbour, PortState } from '#drivers/switch/driver.ts';
import { findMiscabled } from '#equipment/cabling.ts';
import { bindPort, isAssigned, type PortProblem } from '#equipment/port-binding.ts';
import { portsOfSwitch, type Port } from '#store/network/switches.ts';
import type { Queries } from '#store/store.ts';
import { safePollMs, shortestPollMs } from '#traffic/meter.ts';
import { fault, warning, type Problem } from './check.ts';

export async function findPortProblems(
  queries: Queries,
  name: string,
  present: readonly PortState[],
  neighbours: readonly Neighbour[],
): Promise<Problem[]> {
  const stored = await portsOfSwitch(queries, name);
  const problems: Problem[] = [];
  const found: { port: Port; ifIndex: number }[] = [];
  for (const port of stored.filter(isAssigned)) {
    const binding = bindPort(port, present, stored);
    if ('problem' in binding) {
      problems.push(identityProblem(port, binding.problem, present));
      continue;
    }
    const { ifIndex } = binding.found;
    found.push({ port, ifIndex });
    if (ifIndex !== port.if_index)
      problems.push(
        warning(
          `Switch ${name} has renumbered ${portText(port)}: it is now ifIndex ${ifIndex}.`,
          `No action is needed, because Hostyard finds it by its ${binding.key.by}. Keep its ifIndex in the site file.`,
        ),
      );
    if (port.counter_bits === 32 && safePollMs(port.speed) < shortestPollMs)
      problems.push(
        warning(
          `Switch ${name} has only 32-bit counters for ${portText(port)}. At full speed they wrap faster than Hostyard can read them, and some traffic is not counted.`,
          'Enable 64-bit counters (ifHCInOctets) on the switch, or update its firmware.',
        ),
      );
  }
  for (const [id, server] of await findMiscabled(queries, name, found, neighbours))
    problems.push(
      fault(
        `Switch ${name} sees server ${server} at ${portText(stored.find((port) => port.id === id)!)}.`,
        'Correct the cable, or the ports of the servers in the site file.',
      ),
    );
  return problems;
}

function portText({ if_index, key_by, key, server, service_id }: Port): string {
  const known = key === null ? '' : ` (${key_by} ${key})`;
  return `the port with ifIndex ${if_index}${known}, which belongs to ${server ?? `service ${service_id}`}`;
}

function identityProblem(port: Port, problem: PortProblem, present: readonly PortState[]): Problem {
  const { switch: name, if_index, key } = port;
  if (problem === 'ambiguous')
    return fault(
      `Switch ${name} has several ports with the name of ${portText(port)}, so Hostyard does not use it.`,
      'Give the port a unique name, description or alias in the site file.',
    );
  if (problem === 'taken')
    return fault(
      `Switch ${name} has another port of the site file in place of ${portText(port)}, so Hostyard does not use it.`,
      'Correct ifIndex and name of both in the site file.',
    );
  if (key === null)
    return fault(
      `Switch ${name} has no port with ifIndex ${if_index}, which belongs to ${port.server ?? `service ${port.service_id}`}.`,
      'Correct ifIndex in the site file. The switch lists its ports in IF-MIB::ifName.',
    );
  const there = present.find(({ ifIndex }) => ifIndex === if_index);
  const seen = there === undefined ? '' : ` That ifIndex is now "${there.name}".`;
  return fault(
    `Switch ${name} no longer has ${portText(port)}.${seen} Hostyard does not use it.`,
    'If the port was renamed or the switch replaced, give the port its new name in the site file.',
  );
}
