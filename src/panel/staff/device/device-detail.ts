// A device as `GET /operator/device/detail` returns it.
import type { Methods } from '#sdk/operator.ts';

export type DeviceDetail = Awaited<ReturnType<Methods['deviceGet']>>;
