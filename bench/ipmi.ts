// One power-status sweep over a fleet of BMCs: our client, with its sessions kept and with a login each time, beside
// the two that everybody uses, ipmitool (a process per BMC) and ipmipower (one process for all). The BMCs are ipmi_sim
// processes on loopback addresses. CPU is the client's own, the simulators' is not counted; each figure is the best of
// several sweeps, since a busy machine only ever adds. A login each time still knows which cipher suite a BMC speaks: the
// client remembers that for as long as it runs.
//
//   node bench/ipmi.ts [how many BMCs, 500 unless told]

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startIpmiSim } from '#test/support/ipmi-sim.ts';
import type { IpmiSim } from '#test/support/ipmi-sim.ts';
import { findBinary } from '#test/support/needs.ts';
import type { Bmc } from '#wire/ipmi/bmc.ts';
import { openFleet } from '#wire/ipmi/fleet.ts';
import type { Fleet } from '#wire/ipmi/fleet.ts';

const run = promisify(execFile);

interface Cost {
  cpuMs: number;
  wallMs: number;
}

const sweeps = 5;
const startsAtOnce = 20;
const ipmitoolsAtOnce = 8;

async function measure(sweep: () => Promise<unknown>): Promise<Cost> {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await sweep();
  const used = process.cpuUsage(before);
  return { cpuMs: (used.user + used.system) / 1_000, wallMs: performance.now() - startMs };
}

/** What a shell command and all its children cost, by the shell's own account. A failed sweep does not count. */
async function measureShell(command: string): Promise<Cost> {
  const script = `TIMEFORMAT='%U %S %R'; time { ${command} >/dev/null 2>&1; }`;
  try {
    const { stderr } = await run('bash', ['-c', script], { maxBuffer: 2 ** 24 });
    const [user = 0, system = 0, wall = 0] = stderr.trim().split(' ').map(Number);
    return { cpuMs: (user + system) * 1_000, wallMs: wall * 1_000 };
  } catch {
    return { cpuMs: Infinity, wallMs: Infinity };
  }
}

async function best(times: number, once: () => Promise<Cost>): Promise<Cost> {
  let result: Cost = { cpuMs: Infinity, wallMs: Infinity };
  for (let time = 0; time < times; time++) {
    const cost = await once();
    result = { cpuMs: Math.min(result.cpuMs, cost.cpuMs), wallMs: Math.min(result.wallMs, cost.wallMs) };
  }
  return result;
}

async function startFleet(count: number): Promise<IpmiSim[]> {
  const addresses = Array.from({ length: count }, (_, index) => `127.78.${index >> 8}.${index & 0xff || 1}`);
  const sims: IpmiSim[] = [];
  while (addresses.length > 0) {
    const batch = addresses.splice(0, startsAtOnce);
    sims.push(...(await Promise.all(batch.map((address) => startIpmiSim({ address })))));
  }
  return sims;
}

async function keptSessions(fleet: Fleet, sims: readonly IpmiSim[]): Promise<Cost> {
  const bmcs: Bmc[] = sims.map((sim) => fleet.bmc(sim));
  const sweep = () => Promise.all(bmcs.map((bmc) => bmc.chassisStatus()));
  await sweep();
  const cost = await best(sweeps, () => measure(sweep));
  await Promise.all(bmcs.map((bmc) => bmc.close()));
  return cost;
}

async function loginEachTime(fleet: Fleet, sims: readonly IpmiSim[]): Promise<Cost> {
  const visit = async (sim: IpmiSim): Promise<void> => {
    const bmc = fleet.bmc(sim);
    await bmc.chassisStatus();
    await bmc.close();
  };
  return best(sweeps, () => measure(() => Promise.all(sims.map(visit))));
}

function ipmitool(sims: readonly IpmiSim[]): Promise<Cost> {
  const hosts = sims.map((sim) => `${sim.address} ${sim.port}`).join('\\n');
  const login = `-U ${sims[0]?.username} -P ${sims[0]?.password}`;
  const each = `sh -c 'exec ipmitool -I lanplus -C 3 ${login} -H "$0" -p "$1" chassis power status'`;
  return measureShell(`printf '${hosts}\\n' | xargs -P ${ipmitoolsAtOnce} -L 1 ${each}`);
}

function ipmipower(sims: readonly IpmiSim[]): Promise<Cost> {
  const hosts = sims.map((sim) => `${sim.address}:${sim.port}`).join(',');
  const login = `-u ${sims[0]?.username} -p ${sims[0]?.password} -W opensesspriv`;
  return best(sweeps, () => measureShell(`${findBinary('ipmipower')} -D LAN_2_0 ${login} -h ${hosts} --stat`));
}

function line(what: string, cost: Cost): void {
  console.log(`${what.padEnd(44)} ${cost.cpuMs.toFixed(0).padStart(8)} ${cost.wallMs.toFixed(0).padStart(9)}`);
}

function verdict(what: string, ratio: number, target: string, isMet: boolean): void {
  console.log(`${what.padEnd(44)} ${ratio.toFixed(2).padStart(8)}   ${target}   ${isMet ? 'met' : 'MISSED'}`);
}

const count = Number(process.argv[2] ?? 500);
console.log(`Starting ${count} ipmi_sim processes`);
const sims = await startFleet(count);
const fleet = await openFleet({ deadlineMs: 60_000, retransmitMs: 2_000 });
try {
  const few = sims.slice(0, count / 10);
  await loginEachTime(fleet, few);
  const theirs = { tool: await ipmitool(sims), power: await ipmipower(sims) };
  const kept = { few: await keptSessions(fleet, few), all: await keptSessions(fleet, sims) };
  const fresh = { few: await loginEachTime(fleet, few), all: await loginEachTime(fleet, sims) };

  console.log(`\n${`one sweep of ${count}`.padEnd(44)}   CPU ms   wall ms`);
  line('ipmitool, a process each', theirs.tool);
  line('ipmipower, one process', theirs.power);
  line('ours, sessions kept', kept.all);
  line('ours, a login each time', fresh.all);
  line(`ours, sessions kept, ${few.length} BMCs`, kept.few);
  line(`ours, a login each time, ${few.length} BMCs`, fresh.few);

  console.log(`\n${'measured against target'.padEnd(44)}    ratio`);
  const cpu = theirs.tool.cpuMs / kept.all.cpuMs;
  verdict('kept: times less CPU than ipmitool', cpu, 'at least 50', cpu >= 50);
  const wall = kept.all.wallMs / theirs.power.wallMs;
  verdict('kept: wall time, of ipmipower’s', wall, 'at most 1', wall <= 1);
  const login = fresh.all.cpuMs / theirs.power.cpuMs;
  verdict('login each time: CPU, of ipmipower’s', login, 'at most 2', login <= 2);
  const keptGrowth = kept.all.cpuMs / kept.few.cpuMs / 10;
  verdict('kept: growth of CPU a BMC, tenfold fleet', keptGrowth, 'at most 1.3', keptGrowth <= 1.3);
  const freshGrowth = fresh.all.cpuMs / fresh.few.cpuMs / 10;
  verdict('login: growth of CPU a BMC, tenfold fleet', freshGrowth, 'at most 1.3', freshGrowth <= 1.3);
} finally {
  await fleet.close();
  await Promise.all(sims.map((sim) => sim.stop()));
}
