// The settings of equipment drivers, which servers, hypervisors, switches and routers store sealed. Each driver checks them against
// its own schema when a site file is applied; here they only have to be an object.
import { Type } from 'typebox';
import { jsonColumn } from './json-column.ts';

export const driverSettings = jsonColumn('driver settings', Type.Record(Type.String(), Type.Unknown()));
