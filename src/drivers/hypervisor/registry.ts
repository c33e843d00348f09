// Every driver of nodes of virtual machines there is.
import type { TSchema } from 'typebox';
import type { HypervisorDriver } from './driver.ts';
import { labNodeDriver } from './lab.ts';
import { libvirtDriver } from './libvirt.ts';
import { lxdDriver } from './lxd.ts';

export const hypervisorDrivers: Readonly<Record<string, HypervisorDriver>> = {
  lab: labNodeDriver as unknown as HypervisorDriver,
  libvirt: libvirtDriver as unknown as HypervisorDriver,
  lxd: lxdDriver as unknown as HypervisorDriver,
};

/** What a site file must say of a node, by driver. */
export const hypervisorSettings: Readonly<Record<string, TSchema>> = {
  lab: labNodeDriver.settings,
  libvirt: libvirtDriver.settings,
  lxd: lxdDriver.settings,
};
