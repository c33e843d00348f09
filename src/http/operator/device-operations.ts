// Operator API: what customers can do with a device, by the handlers of the customers' API.
import { staffDeviceOperations, type DeviceOperations } from '#contract/operator/device-operations.ts';
import { emitStaffAction, operateDevice } from '#app/operator/device-operations.ts';
import type { HandlersOf } from '../handler.ts';
import { deviceHandlers } from '../v2/device.ts';
import { networkHandlers } from '../v2/network.ts';
import type { AnyHandler } from '../request.ts';

const customerHandlers = { ...deviceHandlers, ...networkHandlers };

/** The reason is recorded with the call, among what it acts on, and in an event of the customer. */
export const deviceOperationHandlers = Object.fromEntries(
  staffDeviceOperations.map((name): [string, AnyHandler] => [
    name,
    async (caller, { device, ...input }) => {
      const { context, service } = await operateDevice(caller, device as string);
      const result = await (customerHandlers[name] as AnyHandler)(context as never, { ...input, service });
      emitStaffAction(context, name, service, input);
      return result;
    },
  ]),
) as unknown as HandlersOf<DeviceOperations>;
