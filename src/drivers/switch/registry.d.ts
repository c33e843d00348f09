import type { TSchema } from 'typebox';
import type { SwitchDriver } from './driver.ts';
export declare const switchDrivers: Readonly<Record<string, SwitchDriver<never>>>;
/** What a site file must say of a switch, by driver. */
export declare const switchSettings: Readonly<Record<string, TSchema>>;
