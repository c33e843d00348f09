// The hypervisor drivers by the name that a site file uses.
import type { TSchema } from 'typebox';
import type { HypervisorDriver } from './driver.ts';
import { labHypervisorDriver } from './lab.ts';
import { libvirtDriver } from './libvirt.ts';
import { lxdDriver } from './lxd.ts';

export const hypervisorDrivers: Readonly<Record<string, HypervisorDriver>> = {
  lab: labHypervisorDriver as unknown as HypervisorDriver,
  libvirt: libvirtDriver as unknown as HypervisorDriver,
  lxd: lxdDriver as unknown as HypervisorDriver,
};

/** The settings schema of each driver. */
export const hypervisorSettings: Readonly<Record<string, TSchema>> = {
  lab: labHypervisorDriver.settings,
  libvirt: libvirtDriver.settings,
  lxd: lxdDriver.settings,
};
