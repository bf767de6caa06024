// The panel: DUDO and CALZA, a lamp beside each, and the seats' lamps as they sit round the table. Its face lies on the
// bed. `openscad -D button=24 -D button_depth=65` makes it for other buttons.
include <button-outline.scad>

face = 3;
height = face + button_depth;
buttons = 50; // from the middle

difference() {
    union() {
        linear_extrude(face) difference() {
            outline();
            for (side = [-buttons, buttons]) {
                translate([side, 0]) circle(d = button + 0.3, $fn = 64);
                translate([side, 28]) circle(d = lamp);
            }
            for (seat = seats) translate(seat) circle(d = lamp);
        }
        linear_extrude(height) difference() { outline(); offset(delta = -wall) outline(); }
        linear_extrude(height) difference() {
            intersection() { outline(); at_corners() square(11, center = true); }
            at_corners() circle(d = m3_thread);
        }
    }
    translate([-8, size[1] / 2 - wall - 1, height - 7]) cube([16, wall + 2, 8]); // two network cables
}
