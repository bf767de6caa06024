"""The errors of the broker.

ClubError
└── BrokerError
    ├── BadBrokerAddressError (ValueError)   this is no broker's address
    ├── BadAuthorityError (ValueError)       this is no certificate of an authority
    ├── NoMosquittoError                     mosquitto is not installed
    ├── MosquittoStartError                  mosquitto is installed, and does not start
    └── CredentialError                      a credential was not made, or not taken away
"""

from __future__ import annotations

from companion.club.errors import ClubError


class BrokerError(ClubError):
    """Something about the broker is wrong."""


class BadBrokerAddressError(BrokerError, ValueError):
    """This cannot be read as the address of a broker."""


class BadAuthorityError(BrokerError, ValueError):
    """This cannot be read as the certificate of an authority."""


class NoMosquittoError(BrokerError):
    """Debian's mosquitto is not installed, or not all of it."""


class MosquittoStartError(BrokerError):
    """mosquitto does not start."""


class CredentialError(BrokerError):
    """The broker refused a change of its credentials, or did not answer."""
