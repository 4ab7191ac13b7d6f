"""What the meta file of a run says of a fake GPU; for python.sh. Arguments: the file, the library."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
meta = json.loads(text)
device = meta["device"]
expected = {"slug": "nvidia-h100-80gb-hbm3", "arch": 900, "sms": 132, "memory_bytes": 80 << 30, "l2_bytes": 50 << 20,
            "shared_optin_bytes": 227 << 10}
if sys.argv[2] == "torch":
    expected["uuid"] = "GPU-6ba7b810-9dad-11d1-80b4-00c04fd430c8"
for name, value in expected.items():
    assert device.get(name) == value, (name, device)
assert {"torch": "torch 0.0+fake", "cupy": "cupy 0.0 (CUDA 13.0)"}[sys.argv[2]] in text
