// The systems that a lab hypervisor can install.

export interface LabTemplate {
  readonly name: string;
  readonly kind: 'Xen' | 'OpenVZ';
  /** The hypervisor's own name for it. */
  readonly source: string;
}

export const labTemplates: readonly LabTemplate[] = [
  { name: 'Debian 12 (64-bit)', kind: 'Xen', source: 'debian-12' },
  { name: 'Ubuntu 24.04 LTS (64-bit)', kind: 'Xen', source: 'ubuntu-24.04' },
  { name: 'Debian 12 (64-bit)', kind: 'OpenVZ', source: 'debian-12-container' },
  { name: 'Alpine 3.20 (64-bit)', kind: 'OpenVZ', source: 'alpine-3.20-container' },
];

/** Returns the name of a template without the width of its words: `Ubuntu 24.04 LTS`. */
export function templateName(source: string): string {
  return labTemplates.find((template) => template.source === source)?.name.split(' (')[0] ?? source;
}
