// A power-status sweep over a fleet of BMCs: our client, with open sessions and with a login per sweep, next to
// ipmitool (a process per BMC) and ipmipower (one process for all). The BMCs are ipmi_sim processes on loopback
// addresses. Only the client's CPU time counts, and each figure is the best of several sweeps, because load on the
// machine only adds time. With a login per sweep the client still remembers the cipher suite of each BMC.
//
//   node bench/ipmi.ts [number of BMCs, default 500]

import { type IpmiSim, startIpmiSim } from '#test/support/ipmi-sim.ts';
import { findBinary } from '#test/support/needs.ts';
import type { Bmc } from '#protocols/ipmi/bmc.ts';
import { type Fleet, openFleet } from '#protocols/ipmi/fleet.ts';
import { measure, measureShell, type Cost } from './support/cost.ts';
import { printFigure } from './support/figures.ts';

const sweeps = 5;
const startsAtOnce = 20;
const ipmitoolsAtOnce = 8;

async function measureBest(times: number, once: () => Promise<Cost>): Promise<Cost> {
  let result: Cost = { cpuMs: Infinity, wallMs: Infinity };
  for (let time = 0; time < times; time++) {
    const cost = await once();
    result = { cpuMs: Math.min(result.cpuMs, cost.cpuMs), wallMs: Math.min(result.wallMs, cost.wallMs) };
  }
  return result;
}

async function startFleet(count: number): Promise<IpmiSim[]> {
  const addresses = Array.from(
    { length: count },
    (_, index) => `127.78.${Math.floor(index / 250)}.${1 + (index % 250)}`,
  );
  const sims: IpmiSim[] = [];
  while (addresses.length > 0) {
    const batch = addresses.splice(0, startsAtOnce);
    sims.push(...(await Promise.all(batch.map((address) => startIpmiSim({ address })))));
  }
  return sims;
}

async function measureOpenSessions(fleet: Fleet, sims: readonly IpmiSim[]): Promise<Cost> {
  const bmcs: Bmc[] = sims.map((sim) => fleet.bmc(sim));
  const sweep = () => Promise.all(bmcs.map((bmc) => bmc.chassisStatus()));
  await sweep();
  const cost = await measureBest(sweeps, () => measure(sweep));
  await Promise.all(bmcs.map((bmc) => bmc.close()));
  return cost;
}

async function measureLoginPerSweep(fleet: Fleet, sims: readonly IpmiSim[]): Promise<Cost> {
  const visit = async (sim: IpmiSim): Promise<void> => {
    const bmc = fleet.bmc(sim);
    await bmc.chassisStatus();
    await bmc.close();
  };
  return measureBest(sweeps, () => measure(() => Promise.all(sims.map(visit))));
}

function measureIpmitool(sims: readonly IpmiSim[]): Promise<Cost> {
  const hosts = sims.map((sim) => `${sim.address} ${sim.port}`).join('\\n');
  const login = `-U ${sims[0]?.username} -P ${sims[0]?.password}`;
  const command = `sh -c 'exec ipmitool -I lanplus -C 3 ${login} -H "$0" -p "$1" chassis power status'`;
  return measureShell(`printf '${hosts}\\n' | xargs -P ${ipmitoolsAtOnce} -L 1 ${command}`);
}

function measureIpmipower(sims: readonly IpmiSim[]): Promise<Cost> {
  const hosts = sims.map((sim) => `${sim.address}:${sim.port}`).join(',');
  const login = `-u ${sims[0]?.username} -p ${sims[0]?.password} -W opensesspriv`;
  return measureBest(sweeps, () => measureShell(`${findBinary('ipmipower')} -D LAN_2_0 ${login} -h ${hosts} --stat`));
}

function printCost(label: string, cost: Cost): void {
  console.log(`${label.padEnd(64)} ${cost.cpuMs.toFixed(0).padStart(8)} ${cost.wallMs.toFixed(0).padStart(9)}`);
}

const count = Number(process.argv[2] ?? 500);
console.log(`Starting ${count} ipmi_sim processes`);
const sims = await startFleet(count);
const fleet = await openFleet({ deadlineMs: 60_000, retransmitMs: 2_000 });
try {
  const few = sims.slice(0, count / 10);
  await measureLoginPerSweep(fleet, few);
  const peers = { tool: await measureIpmitool(sims), power: await measureIpmipower(sims) };
  const open = { few: await measureOpenSessions(fleet, few), all: await measureOpenSessions(fleet, sims) };
  const fresh = { few: await measureLoginPerSweep(fleet, few), all: await measureLoginPerSweep(fleet, sims) };

  console.log(`\n${`one sweep of ${count}`.padEnd(64)}   CPU ms   wall ms`);
  printCost('ipmitool, a process per BMC', peers.tool);
  printCost('ipmipower, one process', peers.power);
  printCost('ours, open sessions', open.all);
  printCost('ours, a login per sweep', fresh.all);
  printCost(`ours, open sessions, ${few.length} BMCs`, open.few);
  printCost(`ours, a login per sweep, ${few.length} BMCs`, fresh.few);

  console.log('');
  const cpu = peers.tool.cpuMs / open.all.cpuMs;
  printFigure('open sessions: times less CPU than the peer', cpu.toFixed(2), '>= 50', cpu >= 50, 'ipmitool');
  const wall = open.all.wallMs / peers.power.wallMs;
  printFigure('open sessions: wall time, times the peer', wall.toFixed(2), '<= 1', wall <= 1, 'ipmipower');
  const login = fresh.all.cpuMs / peers.power.cpuMs;
  printFigure('login per sweep: CPU, times the peer', login.toFixed(2), '<= 2', login <= 2, 'ipmipower');
  const openGrowth = open.all.cpuMs / open.few.cpuMs / 10;
  printFigure(
    'open sessions: growth of CPU per BMC, tenfold fleet',
    openGrowth.toFixed(2),
    '<= 1.3',
    openGrowth <= 1.3,
    `${few.length} BMCs`,
  );
  const freshGrowth = fresh.all.cpuMs / fresh.few.cpuMs / 10;
  printFigure(
    'login per sweep: growth of CPU per BMC, tenfold fleet',
    freshGrowth.toFixed(2),
    '<= 1.3',
    freshGrowth <= 1.3,
    `${few.length} BMCs`,
  );
} finally {
  await fleet.close();
  await Promise.all(sims.map((sim) => sim.stop()));
}
