// The erasing system's reports: one disk after the other, then how many there were. A lost report is noticed at the next one,
// and a repeated report changes nothing.
import { eraseFindings, type EraseFindings, type ErasedDisk } from '#store/devices/reclaims.ts';
import type { Reload } from '#store/devices/reloads.ts';

export interface DiskReport {
  /** Counts from 1. The first one starts over, for a system that was booted twice. */
  readonly index: number;
  readonly disk: ErasedDisk;
}
/** Sent with the last report. */
export interface EraseSummary {
  readonly disks: number;
  readonly memoryMb: number;
}

/** Returns what is known after the report, or undefined if the report does not fit what was reported before. */
export function addEraseReport(
  { findings }: Pick<Reload, 'findings'>,
  { diskReport, summary, phase }: { phase: string; diskReport?: DiskReport; summary?: EraseSummary },
): EraseFindings | undefined {
  const before: EraseFindings = findings === null ? { disks: [], memoryMb: 0 } : eraseFindings.decode(findings);
  const { disks } = before;
  if (diskReport !== undefined) {
    const { index, disk } = diskReport;
    return index > disks.length + 1 ? undefined : { ...before, disks: [...disks.slice(0, index - 1), disk] };
  }
  if (phase !== 'Completed') return before;
  return disks.length > 0 && summary?.disks === disks.length ? { disks, memoryMb: summary.memoryMb } : undefined;
}
