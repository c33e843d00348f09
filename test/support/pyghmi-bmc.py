# A BMC made of pyghmi, as virtualbmc is: it knows cipher suite 3 only, lists it in an RMCP+ packet, and tells sessions
# apart by the client's port. Its serial console repeats what is typed, in capitals.
from pyghmi.ipmi.bmc import Bmc


class TestBmc(Bmc):
    power = 'off'
    boot_device = 'default'
    typed = b''

    def get_power_state(self):
        return self.power

    def is_active(self):
        return self.power == 'on'

    def power_on(self):
        self.power = 'on'

    def power_off(self):
        self.power = 'off'

    def power_shutdown(self):
        self.power = 'off'

    def power_reset(self):
        pass

    def get_boot_device(self):
        return self.boot_device

    def set_boot_device(self, device):
        self.boot_device = device

    def iohandler(self, data):
        self.typed += bytes(data)
        self.repeat()

    def activate_payload(self, request, session):
        super().activate_payload(request, session)
        # pyghmi may pass on the first input before it sets `sol`.
        self.repeat()

    def repeat(self):
        if self.sol and self.typed:
            self.sol.send_data(self.typed.upper())
            self.typed = b''


bmc = TestBmc({'admin': 'pyghmi-secret'}, port=0, address='127.0.0.1')
bmc.port = bmc.serversocket.getsockname()[1]
print('port', bmc.port, flush=True)
Bmc.listen()
