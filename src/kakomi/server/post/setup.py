"""What a site that takes mail has to have, asked once at its start."""

import importlib

from kakomi.server.configuration import Configuration
from kakomi.server.post.imap import Folder
from kakomi.server.post.lmtp import parse_place


def check_post(site: Configuration) -> None:
    """Raise ValueError, in a sentence, for wrong settings, ModuleNotFoundError for a missing library."""
    addresses = {"KAKOMI_POST_ADDRESS": site.post_address, "KAKOMI_POST_BOUNCES": site.post_bounces}
    for name, address in addresses.items():
        local, _, host = address.rpartition("@")
        if address and (not local or not host or "+" in local or len(address) > 200):
            raise ValueError(f"{name} should be an address without a +, such as play@games.example.org")
    if site.post_address and site.post_address.lower() == site.post_bounces.lower():
        raise ValueError("KAKOMI_POST_BOUNCES should be another address than KAKOMI_POST_ADDRESS")
    ways = {"KAKOMI_POST_LMTP": site.post_lmtp, "KAKOMI_POST_IMAP_URL": site.post_imap}
    for name, way in ways.items():
        if way and not site.post_address:
            raise ValueError(f"{name} needs KAKOMI_POST_ADDRESS: the address that takes commands")
    if site.post_lmtp:
        parse_place(site.post_lmtp)
        importlib.import_module("aiosmtpd")
    if site.post_imap:
        Folder.parse(site.post_imap)
