// Containers that the provider created: what they are, and what Hostyard cannot do with them. Nothing here changes them.
import { ApiError } from '#lib/api-error.ts';
import type { Adoption } from '../adoption.ts';
import { bytesPerGb, bytesPerMb } from '../driver.ts';
import type { LxdApi } from './api.ts';
import { readHostTotals } from './capacity.ts';
import { cardNames, canFilter, readNetworkTypes } from './filter.ts';
import { Instance, instancePath, parseSize } from './instances.ts';

export function createAdoption(api: LxdApi, pool: string): Adoption {
  return {
    async inspect(name, signal) {
      const instance = await api.find(instancePath(name), Instance, signal);
      if (instance === undefined || instance.type === 'virtual-machine')
        throw new ApiError('not_found', { internal: `no container ${name}` });
      const { expanded_config: config, expanded_devices: devices } = instance;
      // A container without limits can use all that the host has.
      const host = await readHostTotals(api, pool, signal);
      const [memory, disk] = [parseSize(config['limits.memory']), parseSize(devices['root']?.['size'])];
      const isFilterable = canFilter(devices, await readNetworkTypes(api, signal));
      return {
        vcpus: countProcessors(config['limits.cpu']) ?? host.cpus ?? 1,
        memoryMb: Math.max(1, memory === undefined ? (host.memoryMb ?? 1) : Math.floor(memory / bytesPerMb)),
        diskGb: Math.max(1, disk === undefined ? (host.diskGb ?? 1) : Math.ceil(disk / bytesPerGb)),
        mac: cardNames(devices)
          .map((card) => devices[card]!['hwaddr'] ?? config[`volatile.${card}.hwaddr`])
          .find((address) => address !== undefined),
        limitations: isFilterable ? [] : ['Its traffic cannot be filtered.'],
      };
    },
  };
}

/** A number of processors, or a list of them such as `0-2,5`; undefined if all may be used. */
function countProcessors(limit: string | undefined): number | undefined {
  if (limit === undefined || limit === '') return undefined;
  if (/^\d{1,5}$/.test(limit)) return Number(limit);
  const ranges = limit.split(',').map((part) => part.split('-').map(Number));
  const count = ranges.reduce((sum, [first = Number.NaN, last = first]) => sum + last - first + 1, 0);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
