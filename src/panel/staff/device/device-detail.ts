// A device as `GET /operator/device/detail` returns it.
import type { StaffResult } from '../../data/operations.ts';

export type DeviceDetail = StaffResult<'deviceGet'>;
