// How long to wait for a device, by its model or for one device: for those that are slower than most and still work.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';

export const SiteWaits = p.StrictObject({
  /** Until a request is answered, repetitions included. By default 4 with IPMI, 15 with Redfish and 6 with SNMP. */
  responseSeconds: Type.Optional(p.Whole(1, 25)),
  /**
   * For a whole command: signing in, and until the device shows the effect. By default 8, or twice `responseSeconds` if
   * that is more. Checks in the background have half of it.
   */
  commandSeconds: Type.Optional(p.Whole(2, 50)),
  /** Until a BMC responds after a restart; 120 by default. */
  restartSeconds: Type.Optional(p.Whole(30, 3600)),
  /** Until a BMC fetches an image that it has accepted, and shows it in the drive; 15 by default. */
  mediaSeconds: Type.Optional(p.Whole(5, 600)),
  /** For reading the counters of all ports of a switch; 20 by default. */
  pollSeconds: Type.Optional(p.Whole(5, 50)),
});
export type SiteWaits = Static<typeof SiteWaits>;

/** A model of BMC, switch or power strip. */
export const SiteModel = p.StrictObject({ name: p.Text({ max: 64 }), waits: SiteWaits });
export type SiteModel = Static<typeof SiteModel>;
