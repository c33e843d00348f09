// What customers manage of their machines: protection, group and deletion.
import { useRead, type Result } from '../../data/operations.ts';

export type OwnMachine = Result<'machineList'>[number];

/** Returns undefined for a server, and while it is read. */
export function useOwnMachine(service: string, isEnabled: boolean): OwnMachine | undefined {
  // The list has no filter for one machine: the page after the number before.
  const { data } = useRead('machineList', { after: String(Number(service) - 1), limit: 1 }, { enabled: isEnabled });
  return data?.find((machine) => machine.service === service);
}
