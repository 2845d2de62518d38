"""The audit log: what administrators and everybody did that must be provable, on the chain that votes have."""

from parley.engine.clock import WallClock
from parley.features.audit.routes import routes
from parley.features.audit.service import AuditTrail
from parley.features.feature import Feature
from parley.settings import Settings
from parley.storage.database import Database

FEATURE = Feature(
    name="audit",
    build=lambda parts: (AuditTrail(parts[Database], parts[WallClock], records=parts[Settings].is_shared),),
    routes=(routes,),
)
