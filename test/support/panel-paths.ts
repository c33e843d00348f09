// The addresses of all pages of the panel, for tests that visit every page of the lab's panel.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
import { labSwitchName } from '#lab/network.ts';
import { customerNavigation, staffNavigation } from '#panel/shell/navigation.ts';

export const entryPaths: readonly string[] = [
  '/sign-in',
  '/sign-in?staff=true',
  '/recover',
  '/invitation',
  '/sign-up',
  '/sign-up/verify',
  '/staff/recover',
];

const serverTabs = ['', '#console', '#install', '#network', '#hardware', '#certificate', '#events'];

/** `zone` is a zone of the account. */
export function customerPaths(zone: string): string[] {
  return [
    ...customerNavigation.flat().map(({ to }) => to),
    ...serverTabs.map((tab) => `/servers/1001${tab}`),
    '/servers/2001',
    '/servers/2001#snapshots',
    '/servers/2001#backups',
    '/servers/2001#volumes',
    '/servers/2001#usage',
    '/servers/new',
    '/dns#withdrawn',
    '/invoices#1',
    `/dns/${zone}`,
    '/profile',
    '/security',
    '/privacy',
    '/nowhere',
  ];
}

/** `device` is a server. */
export function staffPaths(device: string): string[] {
  return [
    ...staffNavigation.flat().map(({ to }) => to),
    `/staff/device/${device}`,
    `/staff/nodes/${labHypervisorName}`,
    `/staff/switches/${labSwitchName}`,
    '/staff/services#1001',
    '/staff/invoices#1',
    '/staff/runbook/HostyardClock',
    '/staff/customers/1',
    '/staff/security',
  ];
}

/** Returns the pages of the router that none of the paths opens. A page of the identity provider's answer is left out. */
export function unvisitedPages(paths: readonly string[]): string[] {
  const source = readFileSync(join(import.meta.dirname, '..', '..', 'src', 'panel', 'router.tsx'), 'utf8');
  const patterns = [...source.matchAll(/\b(?:entryPage|page)\('([^']+)'/g)].map(([, pattern]) => pattern!);
  if (patterns.length === 0) throw new Error('router.tsx declares its pages differently');
  const segments = (path: string): string[] => path.replace(/[?#].*/, '').split('/');
  const opens = (path: string[], pattern: string[]): boolean =>
    path.length === pattern.length &&
    pattern.every((part, index) => part === path[index] || (part.startsWith('$') && path[index] !== ''));
  return patterns.filter((pattern) => !paths.some((path) => opens(segments(path), segments(pattern))));
}
