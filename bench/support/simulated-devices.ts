// A process with many simulated devices, so that their CPU time is not that of the benchmark: prints the port of each on
// 127.0.0.1 as JSON, and ends when its standard input does.
//
//   node bench/support/simulated-devices.ts bmc|switch COUNT
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { startLabSwitch } from '#lab/switch/switch.ts';
import { bmcLogin, community, portsPerSwitch } from './scale-site.ts';

const [kind, count] = process.argv.slice(2);
const ports = Array.from({ length: portsPerSwitch }, (_, index) => ({
  ifIndex: index + 1,
  name: `port${index + 1}`,
  alias: '',
  speedBitsPerSecond: 1_000_000_000,
}));
const started: number[] = [];
while (started.length < Number(count)) {
  const device =
    kind === 'bmc'
      ? await startLabBmc({ admin: bmcLogin })
      : await startLabSwitch({ ports, communities: { readWrite: community } });
  started.push(device.port);
}
console.log(JSON.stringify(started));
process.stdin.resume().on('end', () => process.exit());
