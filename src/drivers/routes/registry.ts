// The route drivers by the name that a site file uses.
import type { TSchema } from 'typebox';
import type { RouteDriver } from './driver.ts';
import { fileRouteDriver } from './file.ts';
import { frrRouteDriver } from './frr/driver.ts';
import { gobgpRouteDriver } from './gobgp/driver.ts';

export const routeDrivers: Readonly<Record<string, Pick<RouteDriver<never>, 'open'>>> = {
  gobgp: gobgpRouteDriver as unknown as RouteDriver<never>,
  frr: frrRouteDriver as unknown as RouteDriver<never>,
  file: fileRouteDriver as unknown as RouteDriver<never>,
};

/** The settings schema of each driver. */
export const routeSettings: Readonly<Record<string, TSchema>> = {
  gobgp: gobgpRouteDriver.settings,
  frr: frrRouteDriver.settings,
  file: fileRouteDriver.settings,
};
