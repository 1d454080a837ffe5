"""Makes a wheel of the package and a binary: `python3 wheel.py BINARY VERSION PLATFORM FOLDER [LICENCES]`, where LICENCES is a text about what is inside the binary.

A wheel is a zip archive with four files about it. Written here, it needs nothing but Python, is the same bytes each time, and serves every Python 3.9 or later.
"""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def metadata(version: str) -> str:
    lines = [
        "Metadata-Version: 2.4",
        "Name: getafix",
        f"Version: {version}",
        "Summary: Model checking where the algorithm is a formula",
        "License-Expression: MIT OR Apache-2.0",
        "License-File: LICENSE-MIT",
        "License-File: LICENSE-APACHE",
        "License-File: LICENSES-OF-OTHERS.txt",
        "Requires-Python: >=3.9",
        "Requires-Dist: z3-solver>=4.11.2",
        "Classifier: Development Status :: 4 - Beta",
        "Classifier: Topic :: Software Development :: Quality Assurance",
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines)


def contents(binary: Path, version: str, platform: str, others: bytes) -> "list[tuple[str, bytes, int]]":
    """Names, bytes and modes of all files but the list of them."""
    about = f"getafix-{version}.dist-info"
    files = [(f"getafix/{path.name}", path.read_bytes(), 0o644) for path in sorted((HERE / "getafix").iterdir()) if path.is_file()]
    files.append((f"getafix-{version}.data/scripts/getafix", binary.read_bytes(), 0o755))
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        files.append((f"{about}/licenses/{name}", (ROOT / name).read_bytes(), 0o644))
    files.append((f"{about}/licenses/LICENSES-OF-OTHERS.txt", others, 0o644))
    files.append((f"{about}/METADATA", metadata(version).encode(), 0o644))
    tags = "".join(f"Tag: py3-none-{one}\n" for one in platform.split("."))
    wheel = f"Wheel-Version: 1.0\nGenerator: getafix\nRoot-Is-Purelib: false\n{tags}"
    files.append((f"{about}/WHEEL", wheel.encode(), 0o644))
    return files


def write(binary: Path, version: str, platform: str, folder: Path, others: bytes = b"") -> Path:
    files = contents(binary, version, platform, others)
    record = f"getafix-{version}.dist-info/RECORD"
    lines = []
    for name, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    files.append((record, ("".join(lines) + f"{record},,\n").encode(), 0o644))
    path = folder / f"getafix-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)
    return path


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    inside = Path(sys.argv[5]).read_bytes() if len(sys.argv) == 6 else b""
    print(write(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]), inside))
